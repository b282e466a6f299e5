import typing

Any, Dict, List = typing.Any, typing.Dict, typing.List
Optional, Tuple, Union = typing.Optional, typing.Tuple, typing.Union


class _BroadcastingList:
    def __getitem__(self, types):  # None, as torch's gives
        return None


BroadcastingList1 = BroadcastingList2 = BroadcastingList3 = _BroadcastingList()
