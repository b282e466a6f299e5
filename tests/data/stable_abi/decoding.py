"""What TorchCodec decodes and encodes, one line of output for each call.

Run by tests/test_stable_abi.py: `python decoding.py FOLDER VIDEO SOUND`, where the official wheel
lies unpacked in FOLDER; with the folder of porter_compat, under Paddle. `stand_in.py` in FOLDER is run first. Of tensors a digest is printed.
"""

import hashlib
import io
import pathlib
import re
import sys
import threading

folder, video, sound = sys.argv[1:4]
sys.path.insert(0, folder)
stand_in = pathlib.Path(folder, "stand_in.py")
if len(sys.argv) > 4:
    sys.path.insert(0, sys.argv[4])
    import porter_compat
    from porter_compat import stable_abi

    if "--without-cuda" in sys.argv:
        stable_abi.standins._installed = lambda name: False

elif stand_in.exists():
    exec(stand_in.read_text(encoding="utf-8"))

import torch
import torchcodec
from torchcodec.decoders import AudioDecoder, VideoDecoder
from torchcodec.encoders import AudioEncoder, VideoEncoder
from torchcodec.samplers import clips_at_regular_indices, clips_at_regular_timestamps


def plain(value):
    if isinstance(value, torch.Tensor):
        array = value.numpy()  # Paddle has no kernels for uint16, not to copy it either
        return f"{array.dtype}{[*array.shape]} {hashlib.sha256(array.tobytes()).hexdigest()[:16]}"
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if hasattr(value, "__dataclass_fields__"):
        fields = {name: plain(getattr(value, name)) for name in value.__dataclass_fields__}
        return f"{type(value).__name__}({fields})"
    if isinstance(value, float):
        return round(value, 9)
    return value


def show(label, f, *args, **kwargs):
    try:
        print(label, plain(f(*args, **kwargs)))
    except Exception as error:
        said = re.sub(r"= .*", "", str(error).partition("\n")[0])  # a dtype is written otherwise
        print(label, "raises", type(error).__name__, said[:80])


print(torchcodec.ffmpeg_major_version)
decoder = VideoDecoder(video)
print(decoder.metadata)
print(len(decoder))
for index in (0, 7, -1, 19):
    show(f"frame {index}", decoder.__getitem__, index)
for part in (slice(0, 5), slice(2, 18, 5), slice(-3, None)):
    show(f"frames {part}", decoder.__getitem__, part)
show("too far", decoder.__getitem__, 20)
show("not a number", decoder.__getitem__, "a")
show("frame_at", decoder.get_frame_at, 3)
show("frame_at", decoder.get_frame_at, -2)
show("frame_at", decoder.get_frame_at, 99)
show("frames_at", decoder.get_frames_at, [0, 5, 5, 2])
show("frames_at", decoder.get_frames_at, torch.tensor([1, 3]))
show("frames_at", decoder.get_frames_at, [0, 100])
show("frames_in_range", decoder.get_frames_in_range, 3, 12, 4)
show("frame_played_at", decoder.get_frame_played_at, 1.23)
show("frame_played_at", decoder.get_frame_played_at, 55.0)
show("frames_played_at", decoder.get_frames_played_at, [0.0, 0.55, 1.9])
show("frames_played_at", decoder.get_frames_played_at, "abc")
show("frames_played_in_range", decoder.get_frames_played_in_range, 0.3, 0.9)
show("all frames", lambda: [each for each in VideoDecoder(video)])
content = pathlib.Path(video).read_bytes()
for number, options in enumerate((
    {"dimension_order": "NHWC"},
    {"num_ffmpeg_threads": 4},
    {"seek_mode": "approximate"},
    {"stream_index": 0},
    {"stream_index": 5},
    {"device": "cpu"},
    {"device": torch.device("cpu")},
    {"device": "nowhere"},
    {"dimension_order": "abc"},
)):
    show(f"options {number}", lambda: VideoDecoder(video, **options)[4:9])
show("of a path", lambda: VideoDecoder(pathlib.Path(video))[6])
show("of bytes", lambda: VideoDecoder(content)[6])
show("of a file", lambda: VideoDecoder(io.BytesIO(content))[6])
show("of an open file", lambda: VideoDecoder(open(video, "rb"))[6])
show("of a tensor", lambda: VideoDecoder(torch.frombuffer(bytearray(content), dtype=torch.uint8))[6])
show("of nothing", lambda: VideoDecoder(b"nothing"))
show("of no file", lambda: VideoDecoder("/nowhere/video.mp4"))
show("of a number", lambda: VideoDecoder(123))

print(AudioDecoder(sound).metadata)
show("all samples", lambda: AudioDecoder(sound).get_all_samples())
show("some samples", lambda: AudioDecoder(sound).get_samples_played_in_range(0.25, 0.75))
show("at another rate", lambda: AudioDecoder(sound, sample_rate=16000).get_all_samples())
show("one channel", lambda: AudioDecoder(sound, num_channels=1).get_all_samples())
show("of a video", lambda: AudioDecoder(video).get_all_samples())

show("clips", clips_at_regular_indices, decoder, num_clips=3, num_frames_in_clip=2)
show("clips", clips_at_regular_timestamps, decoder, seconds_between_clip_starts=0.5)

samples = AudioDecoder(sound).get_all_samples()
show("sound again", lambda: AudioEncoder(samples.data, sample_rate=samples.sample_rate).to_tensor("wav"))
show("sound again", lambda: AudioDecoder(
    AudioEncoder(samples.data, sample_rate=samples.sample_rate).to_tensor("flac")).get_all_samples())
show("sound of whole numbers", lambda: AudioEncoder(torch.zeros(2, 8, dtype=torch.int64), sample_rate=8))
frames = decoder[:6]
show("video again", lambda: VideoDecoder(
    VideoEncoder(frames, frame_rate=10).to_tensor("mp4", codec="mpeg4"))[:])


def written():
    made = io.BytesIO()
    VideoEncoder(frames, frame_rate=10).to_file_like(made, "mkv", codec="mpeg4")
    return VideoDecoder(made.getvalue())[2]


show("written to a file", written)



def images():
    """What TorchCodec 0.14 and newer have for images."""
    from torchcodec import decoders, encoders

    picture = frames[3]
    jpeg = encoders.JpegEncoder(picture).to_tensor()
    png = encoders.PngEncoder(picture).to_tensor()
    show("a JPEG", lambda: jpeg)
    show("a PNG", lambda: png)
    show("a gray JPEG", lambda: encoders.JpegEncoder(picture[:1]).to_tensor(quality=30))
    show("of no image", lambda: encoders.PngEncoder(picture[0]).to_tensor())
    for mode in ("UNCHANGED", "GRAY", "GRAY_ALPHA", "RGB", "RGB_ALPHA", "nonsense"):
        show(f"JPEG as {mode}", decoders.decode_jpeg, jpeg, mode=mode)
        show(f"PNG as {mode}", decoders.decode_png, png, mode=mode)
    show("several", decoders.decode_jpeg, [jpeg, jpeg])
    show("of 16 bits", decoders.decode_png, png, output_dtype=torch.uint16)
    show("by its bytes", decoders.decode_image, png.numpy().tobytes())
    show("not an image", decoders.decode_jpeg, png)


if hasattr(torchcodec.decoders, "decode_jpeg"):
    images()

found = []


def work():
    mine = VideoDecoder(video)
    found.append(hashlib.sha256(mine[:].numpy().tobytes()).hexdigest())


threads = [threading.Thread(target=work) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print("in threads", len(found), len({*found}), found[0][:16])
