"""Which package of Debian and Ubuntu has a header that the compiler does not find."""

from __future__ import annotations

import functools
import re
import shutil
import tempfile
from pathlib import Path

from porter.host import process
from porter.model import Step

# Package -> how the headers of it are written in an #include: a folder, or whole names.
# Source: the contents of Debian 12 (`apt-file search`); Ubuntu 24.04 has the same names but where
# there is a virtual package.
_PACKAGES = {
    "catch2": "catch2/",
    "libabsl-dev": "absl/",
    "libarchive-dev": "archive.h archive_entry.h",
    "libassimp-dev": "assimp/",
    "libavcodec-dev": "libavcodec/",
    "libavfilter-dev": "libavfilter/",
    "libavformat-dev": "libavformat/",
    "libavutil-dev": "libavutil/",
    "libbenchmark-dev": "benchmark/",
    "libboost-all-dev": "boost/",
    "libbz2-dev": "bzlib.h",
    "libceres-dev": "ceres/",
    "libcereal-dev": "cereal/",
    "libcgal-dev": "CGAL/",
    "libcurl4-openssl-dev": "curl/",
    "libdnnl-dev": "dnnl.h dnnl.hpp oneapi/dnnl/",
    "libdouble-conversion-dev": "double-conversion/",
    "libegl-dev": "EGL/",
    "libeigen3-dev": "Eigen/ eigen3/ unsupported/Eigen/",
    "libembree-dev": "embree3/ embree4/",
    "libfftw3-dev": "fftw3.h",
    "libflann-dev": "flann/",
    "libfmt-dev": "fmt/",
    "libgflags-dev": "gflags/",
    "libgl-dev": "GL/gl.h GL/glx.h GL/glext.h",
    "libgles-dev": "GLES/ GLES2/ GLES3/",
    "libglew-dev": "GL/glew.h",
    "libglfw3-dev": "GLFW/",
    "libglm-dev": "glm/",
    "libglut-dev": "GL/glut.h GL/freeglut.h",
    "libgmp-dev": "gmp.h gmpxx.h",
    "libgoogle-glog-dev": "glog/",
    "libgtest-dev": "gtest/",
    "libhdf5-dev": "hdf5.h H5Cpp.h",
    "libibverbs-dev": "infiniband/",
    "libjpeg-dev": "jpeglib.h jerror.h",
    "liblapacke-dev": "lapacke.h",
    "libleveldb-dev": "leveldb/",
    "liblmdb-dev": "lmdb.h lmdb++.h",
    "liblz4-dev": "lz4.h lz4frame.h lz4hc.h",
    "liblzma-dev": "lzma.h",
    "libmetis-dev": "metis.h",
    "libmpfr-dev": "mpfr.h",
    "libmsgpack-cxx-dev": "msgpack.hpp",
    "libnanoflann-dev": "nanoflann.hpp",
    "libnuma-dev": "numa.h numaif.h",
    "libopenblas-dev": "cblas.h openblas_config.h",
    "libopencv-dev": "opencv2/",
    "libopenmpi-dev": "mpi.h",
    "libpcl-dev": "pcl/",
    "libpng-dev": "png.h",
    "libprotobuf-dev": "google/protobuf/",
    "librange-v3-dev": "range/v3/",
    "librocksdb-dev": "rocksdb/",
    "libsnappy-dev": "snappy.h snappy-c.h",
    "libsndfile1-dev": "sndfile.h sndfile.hh",
    "libsox-dev": "sox.h",
    "libspdlog-dev": "spdlog/",
    "libsparsehash-dev": "google/dense_hash_map google/dense_hash_set google/sparse_hash_map "
    "google/sparse_hash_set google/sparsetable sparsehash/",
    "libsqlite3-dev": "sqlite3.h",
    "libssl-dev": "openssl/",
    "libsuitesparse-dev": "cholmod.h umfpack.h klu.h suitesparse/ SuiteSparseQR.hpp",
    "libswresample-dev": "libswresample/",
    "libswscale-dev": "libswscale/",
    "libtbb-dev": "tbb/ oneapi/tbb.h oneapi/tbb/",
    "libtiff-dev": "tiff.h tiffio.h",
    "libtinyxml2-dev": "tinyxml2.h",
    "libturbojpeg0-dev": "turbojpeg.h",
    "libvulkan-dev": "vulkan/",
    "libwebp-dev": "webp/",
    "libx11-dev": "X11/",
    "libxtensor-dev": "xtensor/",
    "libyaml-cpp-dev": "yaml-cpp/",
    "libzmq3-dev": "zmq.h",
    "libzstd-dev": "zstd.h",
    "nlohmann-json3-dev": "nlohmann/",
    "opencl-headers": "CL/",
    "pybind11-dev": "pybind11/",
    "python3-dev": "Python.h",
    "rapidjson-dev": "rapidjson/",
    "zlib1g-dev": "zlib.h zconf.h",
}
_BY_HEADER = {header: package for package, said in _PACKAGES.items() for header in said.split()}
SECONDS = 60  # for a look into apt-file's list


@functools.cache
def package_of(header: str) -> str:
    """The package that has a header as it is included, or nothing: by the table above, else by
    apt-file where that is installed."""
    folders = [f"{'/'.join(header.split('/')[:n])}/" for n in range(header.count("/"), 0, -1)]
    found = next((_BY_HEADER[name] for name in (header, *folders) if name in _BY_HEADER), "")
    return found or (_ask_apt_file(header) if folders else "")


def _ask_apt_file(header: str) -> str:
    program = shutil.which("apt-file")
    if program is None:
        return ""
    pattern = rf"^/usr/include/([a-z0-9_]+-linux-gnu[a-z0-9]*/)?{re.escape(header)}$"
    with tempfile.TemporaryDirectory() as folder:
        argv = (program, "--package-only", "--regexp", "search", pattern)
        step = Step(name="apt-file", argv=argv, cwd=folder, timeout=SECONDS, foreign=False)
        said = process.run(step, Path(folder, "apt-file.log"))
    packages = said.tail.split() if said.ok else []
    alone = len(packages) == 1 and not packages[0].startswith("libtorch")  # of another version
    return packages[0] if alone else ""
