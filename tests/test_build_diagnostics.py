"""Diagnostics: what tools print, placed in the user's tree and grouped by cause."""
# ruff: noqa: E501  messages as tools print them

from __future__ import annotations

from pathlib import Path

import pytest

from porter.build.causes import cause
from porter.build.diagnostics import causes, follow_headers, parse, place


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in ("csrc/ops.cpp", "csrc/k.cu", "setup.py", "pkg/__init__.py", "CMakeLists.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    return tmp_path


@pytest.mark.parametrize(
    ("message", "text", "name", "scope"),
    [
        ("torch/version.h: No such file or directory", "missing header torch/version.h", "torch/version.h", None),
        ("'ATen/Dispatch.h' file not found", "missing header ATen/Dispatch.h", "ATen/Dispatch.h", None),
        ('cannot open source file "cudnn.h"', "missing header cudnn.h", "cudnn.h", None),
        (
            "google/dense_hash_map: No such file or directory",
            "missing header google/dense_hash_map (Debian and Ubuntu have it in libsparsehash-dev)",
            "google/dense_hash_map",
            None,
        ),
        ("‘const class at::Tensor’ has no member named ‘sum’", "at::Tensor has no member sum", "sum", "at::Tensor"),
        ("‘using torch::Tensor = class at::Tensor’ {aka ‘class at::Tensor’} has no member named ‘sum’", "at::Tensor has no member sum", "sum", "at::Tensor"),
        ('class "at::Tensor" has no member "sum"', "at::Tensor has no member sum", "sum", "at::Tensor"),
        ("no member named 'sum' in 'at::Tensor'", "at::Tensor has no member sum", "sum", "at::Tensor"),
        ("‘stack’ is not a member of ‘at’; did you mean ‘x’?", "at has no member stack", "stack", "at"),
        ('namespace "at" has no member "stack"', "at has no member stack", "stack", "at"),
        ("‘AT_ERROR’ was not declared in this scope", "missing name AT_ERROR", "AT_ERROR", None),
        ('identifier "AT_ERROR" is undefined', "missing name AT_ERROR", "AT_ERROR", None),
        ("no match for ‘operator+’ (operand types are ‘a’ and ‘b’)", "no overload of operator+ takes these arguments", "operator+", None),
        ("no matching function for call to ‘at::Tensor::view(int)’", "no overload of at::Tensor::view takes these arguments", "view", "at::Tensor"),
        ("x.so: undefined symbol: at::f(int)", "missing symbol at::f(int)", "at::f(int)", None),
        ("ImportError: libc10.so: cannot open shared object file: No such file", "missing shared library libc10.so", "libc10.so", None),
        ("ModuleNotFoundError: No module named 'einops'", "missing module einops", "einops", None),
        ("ModuleNotFoundError: No module named 'paddle.autograd.functional'", "paddle has no module for torch.autograd.functional", "autograd.functional", "paddle"),
        ("ImportError: cannot import name 'ROCM_HOME' from 'torch.utils' (/x.py)", "torch.utils has no ROCM_HOME to import", "ROCM_HOME", "torch.utils"),
        ("AttributeError: module 'paddle' has no attribute 'backends'", "paddle has no attribute backends", "backends", "paddle"),
        ("TypeError: Extension.__init__() got multiple values for argument 'sources'", "Extension.__init__() does not accept sources this way", "sources", "Extension.__init__"),
        ("[Errno 2] No such file or directory: '/usr/local/cuda/bin/nvcc'", "missing program /usr/local/cuda/bin/nvcc", "/usr/local/cuda/bin/nvcc", None),
        ("‘torch::autograd’ has not been declared", "missing name torch::autograd", "autograd", "torch"),
        ("‘OptionalType’ has not been declared in ‘at’", "at has no member OptionalType", "OptionalType", "at"),
        ("‘List’ in namespace ‘torch’ does not name a template type", "torch has no member List", "List", "torch"),
        ("no match for ‘operator+’ in ‘x + y’ (operand types are ‘at::Tensor’ and ‘torch::Tensor’ {aka ‘at::Tensor’})", "no overload of operator+ takes these arguments", "operator+", "at::Tensor"),
        ("no match for ‘operator<<’ (operand types are ‘std::ostream’ {aka ‘std::basic_ostream<char>’} and ‘const at::Tensor’)", "no overload of operator<< takes these arguments", "operator<<", "at::Tensor"),
        ("no match for ‘operator-’ in ‘-x’ (operand type is ‘at::Tensor’)", "no overload of operator- takes these arguments", "operator-", "at::Tensor"),
        ('no operator "+" matches these operands; operand types are: at::Tensor + int', "no overload of operator+ takes these arguments", "operator+", "at::Tensor"),
        ("invalid operands to binary expression ('at::Tensor' and 'int')", "no overload of operator takes these arguments", "operator", "at::Tensor"),
        ("no match for call to ‘(at::Tensor) (int, int)’", "no overload of operator() takes these arguments", "operator()", "at::Tensor"),
        ('function "at::Tensor::operator()" cannot be called with the given argument list', "no overload of at::Tensor::operator() takes these arguments", "operator()", "at::Tensor"),
        ('no instance of overloaded function "at::Tensor::to" matches the argument list; object type is: at::Tensor', "no overload of at::Tensor::to takes these arguments", "to", "at::Tensor"),
        ("too few arguments to function ‘at::Tensor at::cat(at::TensorList)’", "no overload of at::cat takes these arguments", "cat", "at"),
        ("call of overloaded ‘amb(int)’ is ambiguous", "a call of amb is ambiguous", "amb", None),
        ('more than one instance of overloaded function "at::amb" matches the argument list:', "a call of at::amb is ambiguous", "amb", "at"),
        ("‘PrivateUse1’ is not a member of ‘c10::DeviceType’", "c10::DeviceType has no member PrivateUse1", "PrivateUse1", "c10::DeviceType"),
        ('enum "c10::DeviceType" has no member "PrivateUse1"', 'c10::DeviceType has no member PrivateUse1', "PrivateUse1", "c10::DeviceType"),
        ("redefinition of ‘at::Tensor at::max(const Tensor&, const Tensor&)’", "at::max is defined twice", "at::max", None),
    ],
)  # fmt: skip
def test_a_message_has_a_cause(message: str, text: str, name: str, scope: str | None) -> None:
    found = cause(message)
    assert (found.text, found.name, found.scope) == (text, name, scope)


@pytest.mark.parametrize(
    "message",
    [
        "cannot convert ‘at::Tensor’ to ‘const char*’ in initialization",
        "could not convert ‘x’ from ‘at::Tensor’ to ‘const char*’",
        "conversion from ‘at::Tensor’ to non-scalar type ‘const char*’ requested",
        "invalid initialization of reference of type ‘const char* const&’ from expression of type ‘at::Tensor’",
        'no suitable conversion function from "at::Tensor" to "const char *" exists',
        'argument of type "at::Tensor" is incompatible with parameter of type "const char *"',
        "no viable conversion from 'at::Tensor' to 'const char *'",
    ],
)
def test_what_does_not_convert_has_one_cause(message: str) -> None:
    said = cause(message).text.replace(" *", "*").replace("* const", "*")
    assert said == "at::Tensor does not convert to char*"


@pytest.mark.parametrize(
    ("message", "said", "name"),
    [
        (
            "RuntimeError: Failed to load the backend extension: torch_npu. You can disable "
            "extension auto-loading with TORCH_DEVICE_BACKEND_AUTOLOAD=0.",
            "set_env.sh",
            None,
        ),
        (
            "ImportError: libhccl.so: cannot open shared object file: No such file or directory",
            "missing CANN's library",
            "libhccl.so",
        ),
        ("ImportError: libatb.so: cannot open shared object file", "NNAL's", "libatb.so"),
        ("ImportError: _C.so: undefined symbol: g_hash_buf", "does not export it", "g_hash_buf"),
        (
            "RuntimeError: aclnnFoo or aclnnFooGetWorkspaceSize not in libopapi.so, or "
            "libopapi.so not found.",
            "ASCEND_CUSTOM_OPP_PATH",
            "aclnnFoo",
        ),
        ("errorStr: The DDR address of the MTE instruction is out of range.", "its tail", None),
        ("[ERROR] DMA copy out of range", "its tail", None),
        ("Kernel launch failed, ret is 107000", "--npu-arch", None),
        ("RuntimeError: the error code is 507035", "ended with a fault", None),
        ("emulated NPU: queue depth is 2", "queue depth is 2", None),
    ],
)
def test_what_torch_npu_and_cann_say_has_a_cause_and_a_remedy(
    message: str, said: str, name: str | None
) -> None:
    found = cause(message)
    assert said in found.text and found.name == name


def test_a_shared_library_of_nobodys_is_just_missing() -> None:
    message = "ImportError: libfoo.so.1: cannot open shared object file"
    assert cause(message).text == "missing shared library libfoo.so.1"


def test_a_message_nobody_knows_is_its_own_cause() -> None:
    assert cause("the moon is in the wrong phase").text == "the moon is in the wrong phase"


def test_gcc_places_with_line_and_column(tree: Path) -> None:
    (found,) = parse(f"{tree}/csrc/ops.cpp:3:52: error: 'x' was not declared in this scope", tree)
    assert (found.path, found.line, found.column, found.name) == ("csrc/ops.cpp", 3, 52, "x")


def test_pip_indents_and_colours_do_not_hide_an_error(tree: Path) -> None:
    text = "  \x1b[01m\x1b[Kcsrc/ops.cpp:3:1:\x1b[m\x1b[K \x1b[01;31mfatal error: \x1b[ma.h: No such file or directory"
    (found,) = parse(text, tree)
    assert (found.path, found.cause) == ("csrc/ops.cpp", "missing header a.h")


def test_nvcc_gives_a_line_without_a_column(tree: Path) -> None:
    text = 'csrc/k.cu(7): error: identifier "m" is undefined\n\n1 error detected in the compilation'
    (found,) = parse(text, tree)
    assert (found.tool, found.line, found.column, found.name) == ("nvcc", 7, None, "m")


def test_a_path_from_a_build_folder_is_the_trees(tree: Path) -> None:
    assert place("../../csrc/ops.cpp", tree) == "csrc/ops.cpp"


def test_an_installed_file_is_the_trees(tree: Path) -> None:
    installed = "/venv/lib/python3.11/site-packages/pkg/__init__.py"
    assert place(installed, tree) == "pkg/__init__.py"


def test_a_path_outside_stays_absolute(tree: Path) -> None:
    assert place("/usr/include/stdio.h", tree) == "/usr/include/stdio.h"


def test_a_template_of_the_framework_is_blamed_on_its_user(tree: Path) -> None:
    text = f"""/fw/include/t.h: In instantiation of 'void f()':
{tree}/csrc/ops.cpp:12:3:   required from here
/fw/include/t.h:99:5: error: no match for 'operator+'"""
    (found,) = parse(text, tree)
    assert (found.path, found.line) == ("csrc/ops.cpp", 12)


def test_an_error_in_a_header_of_the_framework_is_placed_where_the_user_includes_it(
    tree: Path,
) -> None:
    text = f"""In file included from /fw/site-packages/fw/all.h:18,
                 from {tree}/csrc/ops.cpp:5,
                 from {tree}/csrc/api.cpp:3:
/fw/site-packages/fw/device.h:19:10: fatal error: cuda_runtime.h: No such file or directory
/fw/site-packages/fw/device.h:40:2: error: 'Stream' was not declared in this scope
{tree}/csrc/api.cpp:9:1: error: 'f' was not declared in this scope
/fw/elsewhere.h:7:7: error: 'g' was not declared in this scope"""
    header, stream, own, unknown = parse(text, tree)
    assert (header.path, header.line, header.name) == ("csrc/ops.cpp", 5, "cuda_runtime.h")
    assert "fw/device.h:19" in header.message
    assert (stream.path, stream.line) == ("csrc/ops.cpp", 5)
    assert (own.path, own.line) == ("csrc/api.cpp", 9)
    assert (unknown.path, unknown.line) == ("/fw/elsewhere.h", 7)


def test_an_error_that_no_line_of_the_user_brings_about_stands_at_its_unit(tree: Path) -> None:
    text = f"""/usr/include/c++/12/bits/stl_vector.h(367): error: expression must be a pointer to a complete object type
          detected during:
            instantiation of "std::_Vector_base<fw::Value>::~_Vector_base()" at line 80 of /usr/include/c++/12/bits/stl_vector.h
            instantiation of class "std::vector<fw::Value>" at line 101 of /v/site-packages/fw/value.h

/usr/include/c++/12/bits/stl_construct.h(88): error: pointer or reference to incomplete type "fw::Value" is not allowed
          detected during instantiation of "void f()" at line 7 of {tree}/csrc/k.cu

/usr/include/c++/12/bits/stl_construct.h(195): error: an incomplete class type is not allowed

3 errors detected in the compilation of "{tree}/csrc/k.cu"."""
    found = parse(text, tree)
    assert [(d.path, d.line) for d in found] == [("csrc/k.cu", n) for n in (1, 7, 1)]
    assert "fw/value.h:101" in found[0].message
    assert [text for text, _, _ in causes(found)] == ["missing definition of fw::Value"]


def test_what_is_said_of_the_arguments_of_a_missing_macro_follows_from_it(tree: Path) -> None:
    (tree / "csrc/ops.cpp").write_text(
        "at::Tensor f(at::Tensor x) {\n"
        '  DISPATCH_ALL_TYPES(x.type(), "f", [&] {\n'
        "    auto p = x.data_ptr<scalar_t>();\n"
        "    x.absent();\n"
        "  });\n"
        "  other();\n"
        "}\n"
    )
    at = f"{tree}/csrc/ops.cpp"
    text = f"""{at}:3:25: error: 'scalar_t' was not declared in this scope
{at}:3:34: error: no matching function for call to 'at::Tensor::data_ptr<<expression error> >()'
{at}:4:7: error: 'class at::Tensor' has no member named 'absent'
{at}:5:3: error: expected ';' before 'v'
{at}:2:3: error: 'DISPATCH_ALL_TYPES' was not declared in this scope
{at}:6:3: error: 'other' was not declared in this scope"""
    rows = [(text, count, example.line) for text, count, example in causes(parse(text, tree))]
    assert rows == [
        ("missing name DISPATCH_ALL_TYPES", 4, 2),
        ("at::Tensor has no member absent", 1, 4),
        ("missing name other", 1, 6),
    ]


def test_a_name_that_a_header_takes_explains_where_it_is_used(tree: Path) -> None:
    at = f"{tree}/csrc/ops.cpp"
    text = f"""{at}:1:1: error: cannot convert 'int' to 'Kind' in initialization
{at}:6:3: error: ‘SUM’ conflicts with a previous declaration
{at}:17:3: error: cannot convert ‘HeaderOp’ to ‘const Kind’ in initialization
{at}:32:3: error: duplicate case value"""
    rows = [(text, count, example.line) for text, count, example in causes(parse(text, tree))]
    assert rows[0] == ("SUM is declared otherwise by a header", 3, 6)
    assert rows[1][2] == 1 and len(rows) == 2


def test_what_some_program_complains_of_comes_after_what_is_known(tree: Path) -> None:
    text = f"""error: git upload-pack: died
error: git upload-pack: again
{tree}/csrc/ops.cpp:1:1: error: 'x' was not declared in this scope"""
    assert causes(parse(text, tree))[0][0] == "missing name x"


def test_a_traceback_is_placed_in_the_users_code(tree: Path) -> None:
    text = f"""  Traceback (most recent call last):
    File "<string>", line 2, in <module>
    File "{tree}/setup.py", line 9, in <module>
      CppExtension("a", [])
    File "/fw/cpp_extension.py", line 500, in CppExtension
      raise
  TypeError: Extension.__init__() got multiple values for argument 'sources'"""
    (found,) = parse(text, tree)
    assert (found.path, found.line, found.name) == ("setup.py", 9, "sources")


def test_setuptools_calls_the_setup_script_a_string(tree: Path) -> None:
    text = """  Traceback (most recent call last):
    File "/env/site-packages/setuptools/build_meta.py", line 317, in run_setup
    File "<string>", line 42, in <module>
    File "/env/site-packages/setuptools/extension.py", line 156, in __init__
  TypeError: Extension.__init__() got multiple values for argument 'include_dirs'"""
    (found,) = parse(text, tree)
    assert (found.path, found.line) == ("setup.py", 42)


def test_nvcc_tells_the_users_line_after_an_error_in_a_header(tree: Path) -> None:
    text = f"""/usr/include/v.h(367): error: pointer or reference to incomplete type "ns::T" is not allowed
          detected during:
            instantiation of "std::vector<ns::T>" at line 101 of /fw/include/x.h
            instantiation of "void f()" at line 8 of {tree}/csrc/k.cu
/usr/include/w.h(1): error: expression must be a pointer to a complete object type"""
    first, second = parse(text, tree)
    assert (first.path, first.line, first.name) == ("csrc/k.cu", 8, "ns::T")
    assert second.cause == first.cause


def test_cmake_says_its_message_on_the_next_line(tree: Path) -> None:
    text = """CMake Error at CMakeLists.txt:12 (find_package):
  Could not find a package configuration file provided by "Torch" with any of"""
    (found,) = parse(text, tree)
    assert (found.path, found.line, found.cause) == (
        "CMakeLists.txt", 12, "missing CMake package Torch",
    )  # fmt: skip


def test_what_only_follows_from_a_failure_is_left_out(tree: Path) -> None:
    text = """csrc/ops.cpp:1:2: fatal error: a.h: No such file or directory
compilation terminated.
error: command '/usr/bin/g++' failed with exit code 1
ERROR: Failed building wheel for pkg
error: failed-wheel-build-for-install
error: subprocess-exited-with-error
ERROR: Could not build wheels for pkg"""
    assert [d.cause for d in parse(text, tree)] == ["missing header a.h"]


def test_an_error_in_pip_itself_is_what_its_traceback_says(tree: Path) -> None:
    text = """ERROR: Exception:
Traceback (most recent call last):
  File "ops/build.py", line 2, in <module>
ModuleNotFoundError: No module named 'builder'"""
    assert [d.cause for d in parse(text, tree)] == ["missing module builder"]


def test_an_exception_of_no_class_of_its_own_is_a_cause(tree: Path) -> None:
    text = "ERROR: Exception:\nTraceback (most recent call last):\nException: no compiler was found"
    assert [d.cause for d in parse(text, tree)] == ["Exception: no compiler was found"]


def test_a_failure_that_nothing_explains_is_kept(tree: Path) -> None:
    text = "error: command '/usr/bin/g++' failed with exit code 1"
    assert len(parse(text, tree)) == 1


def test_a_parser_that_stumbles_has_the_cause_before_it(tree: Path) -> None:
    text = """csrc/ops.cpp:3:1: error: 'AT_X' was not declared in this scope
csrc/ops.cpp:3:9: error: expected ';' before '{' token"""
    assert {d.cause for d in parse(text, tree)} == {"missing name AT_X"}


def test_the_same_error_said_twice_counts_once(tree: Path) -> None:
    line = "csrc/ops.cpp:3:1: error: 'AT_X' was not declared in this scope\n"
    assert len(parse(line * 2, tree)) == 1


def test_causes_are_counted_the_most_frequent_first(tree: Path) -> None:
    text = """csrc/ops.cpp:1:1: error: 'b' was not declared in this scope
csrc/ops.cpp:2:1: error: 'a' was not declared in this scope
csrc/ops.cpp:3:1: error: 'a' was not declared in this scope"""
    rows = [(text, count) for text, count, _ in causes(parse(text, tree))]
    assert rows == [("missing name a", 2), ("missing name b", 1)]


def test_a_log_without_errors_has_no_diagnostics(tree: Path) -> None:
    assert parse("running build_ext\n-Werror=format-security\n0 errors", tree) == ()


def test_what_is_wrong_in_a_macro_is_placed_where_the_user_names_it(tree: Path) -> None:
    text = f"""In file included from {tree}/csrc/ops.cpp:1:
/fw/dispatch.h:9:20: error: 'g' is not a member of 'at'
/fw/dispatch.h:7:3: note: in expansion of macro 'INNER'
{tree}/csrc/ops.cpp:12:5: note: in expansion of macro 'DISPATCH'
/fw/dispatch.h:30:2: error: 'h' is not a member of 'at'
/fw/dispatch.h:2:2: note: suggested alternative: 'at::i'
{tree}/csrc/ops.cpp:40:5: note: in expansion of macro 'OTHER'"""
    first, second = parse(text, tree)
    assert (first.path, first.line, first.column) == ("csrc/ops.cpp", 12, 5)
    assert "dispatch.h:9" in first.message
    assert (second.path, second.line) == ("csrc/ops.cpp", 1), "the note is about something else"


def test_the_tokens_of_the_line_decide_the_column_of_nvcc(tree: Path) -> None:
    (tree / "csrc/k.cu").write_text("int f() {\n  CHECK(x), a.sum(), b.sum();\n  M(y);\n}\n")
    text = """csrc/k.cu(2): error: class "at::Tensor" has no member "sum"
    if (x) {}, a.sum(), b.sum();
                          ^

csrc/k.cu(2): error: class "at::Tensor" has no member "sum"
    if (x) {}, a.sum(), b.sum();
                 ^

csrc/k.cu(2): error: identifier "x" is undefined
    if (x) {}, a.sum(), b.sum();
        ^

csrc/k.cu(3): error: expected an expression
    at::z + ;
            ^

"""
    found = parse(text, tree)
    assert [(item.line, item.column) for item in found] == [(2, 24), (2, 15), (2, 9), (3, 3)]


def test_a_message_that_names_nothing_points_at_the_name(tree: Path) -> None:
    (tree / "csrc/ops.cpp").write_text("TORCH_NEW(abc, m) {}\n")
    (tree / "csrc/k.cu").write_text(
        "using torch::autograd::Variable;\nTORCH_NEW(abc, m) {}\nat::acc<int> f();\nint g = at::sum(1, 2);\n"
    )
    text = f"""{tree}/csrc/ops.cpp:1:10: error: expected constructor, destructor, or type conversion before ‘(’ token
csrc/k.cu(1): error: name followed by "::" must be a class or namespace name
  using torch::autograd::Variable;
               ^

csrc/k.cu(2): error: this declaration has no storage class or type specifier
  TORCH_NEW(abc, m) {{}}
  ^

csrc/k.cu(2): error: identifier "abc" is undefined
  TORCH_NEW(abc, m) {{}}
            ^

csrc/k.cu(3): error: qualified name is not allowed
  at::acc<int> f();
  ^

csrc/k.cu(4): error: too many arguments in function call
  int g = at::sum(1, 2);
                     ^

"""
    found = parse(text, tree)
    assert [(item.line, item.scope, item.name) for item in found] == [
        (1, None, "TORCH_NEW"), (1, "torch", "autograd"), (2, None, "TORCH_NEW"),
        (2, None, "TORCH_NEW"), (3, "at", "acc"), (4, "at", "sum"),
    ]  # fmt: skip


def test_nvcc_points_into_the_arguments_of_a_macro_over_several_lines(tree: Path) -> None:
    (tree / "csrc/k.cu").write_text(
        "void f() {\n  SWITCH(t, [&] {\n    a.sum();\n    b.sum();\n  });\n}\n"
    )
    text = """csrc/k.cu(2): error: class "at::Tensor" has no member "sum"
    switch (t) { case 1: [&] { a.sum(); b.sum(); }(); case 2: [&] { a.sum(); b.sum(); }(); }
                                          ^

"""
    (found,) = parse(text, tree)
    assert (found.line, found.column) == (4, 7)


def test_a_class_whose_base_is_missing_is_not_missing_itself(tree: Path) -> None:
    (tree / "csrc/ops.cpp").write_text(
        "class Sum : public torch::autograd::Function<Sum> {\n};\nint f() { return Sum::apply(1); }\n"
    )
    text = f"""{tree}/csrc/ops.cpp:1:25: error: 'torch::autograd' has not been declared
{tree}/csrc/ops.cpp:3:25: error: incomplete type 'Sum' used in nested name specifier
{tree}/csrc/ops.cpp:3:25: error: 'apply' is not a member of 'Sum'
{tree}/csrc/ops.cpp:3:30: error: 'apply' is not a member of 'Other'"""
    found = parse(text, tree)
    assert [item.name for item in found] == ["autograd", "autograd", "autograd", "apply"]


@pytest.mark.parametrize(
    ("log", "path", "told"),
    [
        (
            "g++: internal compiler error: Segmentation fault signal terminated program cc1plus",
            "",
            "crashed: Segmentation fault",
        ),
        ("csrc/a.cpp:3:4: internal compiler error: in fold, at x.cc:1", "csrc/a.cpp", "in fold"),
        ("nvcc error   : 'cicc' died due to signal 11 (Invalid memory)", "", "'cicc' died"),
        ("error: command '/usr/bin/g++' failed with exit code -11", "", "crashed: failed with"),
        ("clang++: error: unable to execute command: Segmentation fault", "", "crashed: Segm"),
        ("g++: fatal error: Killed signal terminated program cc1plus", "", "out of memory"),
        ("cc1plus: out of memory allocating 65536 bytes after 1 bytes", "", "out of memory"),
        ("virtual memory exhausted: Cannot allocate memory", "", "out of memory"),
    ],
)
def test_a_compiler_that_crashes_in_a_build_is_the_cause(
    log: str, path: str, told: str, tmp_path: Path
) -> None:
    more = f"{log}\nerror: command '/usr/bin/g++' failed with exit code 1\n"
    (found,) = parse(more if "command" not in log or path else log, tmp_path)
    assert (found.path, told in found.cause) == (path, True), found


def test_without_a_header_of_another_library_only_the_framework_is_known(tree: Path) -> None:
    text = """csrc/ops.cpp:1:2: fatal error: Eigen/Dense: No such file or directory
csrc/ops.cpp:2:2: error: 'Matrix' is not a member of 'Eigen'
csrc/ops.cpp:3:2: error: 'class SO3<double>' has no member named 'Adj'
csrc/ops.cpp:4:2: error: no matching function for call to 'SO3<float>::SO3(const float*)'
csrc/ops.cpp:5:2: error: 'class at::Tensor' has no member named 'sum'"""
    found = follow_headers(parse(text, tree))
    assert [d.name for d in found[:4]] == ["Eigen/Dense"] * 4
    assert (found[4].scope, found[4].name) == ("at::Tensor", "sum")


def test_a_missing_header_of_the_framework_explains_no_missing_member(tree: Path) -> None:
    text = """csrc/ops.cpp:1:2: fatal error: torch/script.h: No such file or directory
csrc/ops.cpp:3:2: error: 'class SO3<double>' has no member named 'Adj'"""
    assert len({d.cause for d in follow_headers(parse(text, tree))}) == 2


NONE = "-DNone, a value of Python's written as text,"


@pytest.mark.parametrize(
    ("log", "cause_of_all"),
    [
        (
            "g++ -O2 -DWITH_OPS=1 -DNone -c csrc/ops.cpp\n"
            "<command-line>: error: expected identifier before numeric constant\n"
            "<command-line>: error: expected '}' before numeric constant\n"
            "/x/site-packages/paddle/include/a.h:2:17: note: to match this '{'\n"
            "    2 | enum class Mode { None, Some };\n"
            "/x/site-packages/paddle/include/a.h:2:30: error: expected declaration before '}' token\n",
            f"{NONE} replaces the name 'None' in a header",
        ),
        (
            "g++ -DNone -DN=2 -c csrc/ops.cpp\n"
            "<command-line>: error: expected unqualified-id before numeric constant\n"
            "/x/site-packages/paddle/include/a.h:2:29: note: in expansion of macro ‘None’\n",
            f"{NONE} replaces the name 'None' in paddle/include/a.h",
        ),
        (
            "csrc/ops.cpp:1:15: error: expected unqualified-id before numeric constant\n"
            "/x/site-packages/paddle/include/a.h:2:29: note: in expansion of macro 'DIMS'\n",
            "a macro of csrc/ops.cpp replaces the name 'DIMS' in paddle/include/a.h",
        ),
        (
            "clang++ -DDIMS=3 -c csrc/ops.cpp\n"
            "/x/site-packages/paddle/include/a.h:2:5: error: expected identifier\n"
            "<command line>:1:14: note: expanded from macro 'DIMS'\n",
            "-DDIMS=3 replaces the name 'DIMS' in paddle/include/a.h",
        ),
    ],
)
def test_an_error_names_the_macro_that_replaces_a_name_of_a_header(
    log: str, cause_of_all: str, tree: Path
) -> None:
    found = parse(log, tree)
    text = f"{cause_of_all}: rename the macro, or change the option"
    assert {item.cause for item in found} == {text}
    assert found[0].name in ("None", "DIMS")


def test_an_architecture_that_nvcc_does_not_have_is_named(tree: Path) -> None:
    (found,) = parse("nvcc fatal   : Unsupported gpu architecture 'sm_35'\n", tree)
    assert (found.tool, found.name) == ("nvcc", "sm_35")
    assert found.cause.startswith("nvcc has no architecture sm_35: ")


def test_nvcc_shows_a_line_as_compiled_and_the_macro_is_found_in_the_file(tree: Path) -> None:
    (tree / "a.h").write_text("#pragma once\nenum class Mode { None, Some };\n")
    shown = "a.h(2): error: expected an identifier\n  enum class Mode { 1, Some };\n"
    (found,) = parse(f"nvcc -DNone -DWITH_OPS -c csrc/k.cu\n{shown}", tree)
    assert found.cause.startswith(f"{NONE} replaces the name 'None' in a.h:")
    (other,) = parse(f"nvcc -DWITH_OPS -c csrc/k.cu\n{shown}", tree)
    assert other.cause == "expected an identifier"


def test_an_argument_of_a_framework_s_macro_is_no_replaced_name(tree: Path) -> None:
    log = (
        "g++ -DNone -c csrc/ops.cpp\n"
        "csrc/ops.cpp:4:9: error: 'foo' was not declared in this scope\n"
        "/x/site-packages/paddle/include/d.h:2:29: note: in expansion of macro 'CASE'\n"
        "csrc/ops.cpp:4:3: note: in expansion of macro 'DISPATCH'\n"
    )
    (found,) = parse(log, tree)
    assert found.cause == "missing name foo"


def test_a_header_that_an_option_includes_is_a_missing_header(tree: Path) -> None:
    log = "<command-line>: fatal error: nothere.h: No such file or directory\n"
    assert [item.cause for item in parse(log, tree)] == ["missing header nothere.h"]


def test_a_build_script_that_exits_is_quoted_with_what_it_printed_last(tmp_path: Path) -> None:
    log = """\
  Running command Preparing metadata (pyproject.toml)
  running dist_info
  Cannot find libsolver.so in ../build.
  Build it, and set SOLVER_PATH.
  error: subprocess-exited-with-error

  × Preparing metadata (pyproject.toml) did not run successfully.
error: metadata-generation-failed
"""
    (found,) = parse(log, tmp_path)
    assert found.message == "Cannot find libsolver.so in ../build. Build it, and set SOLVER_PATH."
    assert found.cause == found.message and found.tool == "setuptools"
    raised = """\
  Traceback (most recent call last):
    File "/usr/lib/python3.11/subprocess.py", line 571, in run
      raise CalledProcessError(retcode, process.args,
  subprocess.CalledProcessError: Command '['git', 'describe']' returned non-zero exit status 128.
  error: subprocess"""
    (called,) = parse(log.replace("  error: subprocess", raised), tmp_path)
    assert called.message == found.message
    caught = raised.replace("  error: subprocess", "  Solver not found.\n  error: subprocess")
    (last,) = parse(log.replace("  error: subprocess", caught), tmp_path)
    assert last.message.endswith("Solver not found.")
    (silent,) = parse(
        log.replace("Cannot find", "running").replace("Build it", "running"), tmp_path
    )
    assert "exited" in silent.message
