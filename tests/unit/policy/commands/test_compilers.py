"""Compilers."""

import pytest

from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "line",
    [
        "gcc --version",
        "gcc -dumpmachine",
        "clang -print-search-dirs",
        "gcc-13 --version",
        "gcc -fsyntax-only main.c",
        "cc -E main.c",
        "javac -version",
        "nm -C shop.o",
        "objdump -d shop",
        "readelf -h shop",
        "pkg-config --cflags openssl",
    ],
)
def test_compiler_lines_that_only_look_are_look(line: str) -> None:
    """What compilers only print is Look."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        "gcc -O2 -Wall -Wextra -o shop main.c",
        "g++ -std=c++20 -Iinclude -DBUILD=1 -c a.cpp",
        "clang -fomit-frame-pointer main.c",
        "gcc main.c -lm -pthread -Wl,-rpath,/opt/lib",
        "gcc @options",
        "javac -d out src/Main.java",
        "kotlinc Main.kt -include-runtime -d shop.jar",
        "ld -o shop a.o",
        "gcc -x c - <<< 'int main(void){return 0;}'",
    ],
)
def test_compiler_lines_that_write_are_left_to_the_client(line: str) -> None:
    """What they make is written into the project."""
    assert risk(line) in (Risk.CHANGE, Risk.CARE)


@pytest.mark.parametrize(
    "line",
    [
        "gcc -fplugin=./evil.so main.c",
        "clang -fpass-plugin=/tmp/x.so main.c",
        "clang -Xclang -load -Xclang /tmp/x.so main.c",
        "gcc -wrapper /tmp/x main.c",
        "gcc -B/tmp/tools main.c",
        "gcc -specs=/tmp/specs main.c",
        "gcc -o /usr/bin/ls main.c",
        "gcc -o/etc/x main.c",
        "gcc -E ~/.ssh/id_rsa",
        "gcc -include .env -E main.c",
        "gcc -MF /etc/x -c main.c",
        "gcc -x c - -o x <<< 'main(){system(\"rm -rf ~\");}' && ./x",
        "protoc --plugin=protoc-gen-x=/tmp/x a.proto",
    ],
)
def test_compiler_lines_that_load_code_or_leave_are_danger(line: str) -> None:
    """Code loaded into the compiler, secrets and other places reach a person."""
    assert risk(line) == Risk.DANGER
