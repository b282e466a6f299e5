"""What Paddle does on its custom device `npu`, as a line of JSON."""

import json

import paddle

npu = paddle.CustomPlace("npu", 0)
x = paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]], place=npu, stop_gradient=False)
(x * x).sum().backward()
said = {"types": paddle.device.get_all_custom_device_type(), "place": str(x.place)}
said["gradient"], said["host"] = [x.grad.tolist(), str(x.grad.place)], str(x.cpu().place)
paddle.device.set_device("npu:0")
a = paddle.randn([3, 4])
row, turned = a[1], a.t()
row.add_(paddle.ones([4]))
said["view"] = bool((a[1] == row).all()) and bool((turned[:, 1] == row).all())
a.zero_()
said["in place"] = float(row.abs().sum())
said["empty"] = str(paddle.empty([0, 3]).place)
event, stream = paddle.device.Event(), paddle.device.Stream()
with paddle.device.stream_guard(stream):
    b = paddle.full([1000], 2.0) * 3
    event.record(stream)
event.synchronize()
said["on a stream"] = float(b.sum())
print(json.dumps(said))
