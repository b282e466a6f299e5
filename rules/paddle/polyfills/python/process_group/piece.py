from paddle.distributed.communication.group import Group

ProcessGroup = Group
