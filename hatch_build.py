"""Build hook: compile the native shim into the wheel, where that can be done.

With ASSENT_GATE_TARGET one of TARGETS it is built for that machine with ziglang, and anything that fails ends the
build; with "none" it is left out. Without the variable a C compiler is used if there is one, and nothing is lost
without: the Python shim does the same.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGED = "assent/shim/gate"
# By zig's name of the machine: the tag of the wheel. The program needs no libc and no Python, so one tag names both.
TARGETS = {
    "x86_64-linux-musl": "manylinux2014_x86_64.musllinux_1_1_x86_64",
    "aarch64-linux-musl": "manylinux2014_aarch64.musllinux_1_1_aarch64",
    "x86_64-macos.11.0": "macosx_11_0_x86_64",
    "aarch64-macos.11.0": "macosx_11_0_arm64",
}


class GateHook(BuildHookInterface):  # type: ignore[type-arg]
    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        target = os.environ.get("ASSENT_GATE_TARGET", "")
        if self.target_name != "wheel" or target == "none":
            return
        self.folder = Path(tempfile.mkdtemp(prefix="assent-gate-"))
        # An editable installation finds it beside its source; there it is ignored by git.
        packaged = Path(self.root) / "src" / PACKAGED
        gate = packaged if version == "editable" else self.folder / "gate"
        if not compile_gate(packaged.with_name("gate.c"), gate, target):
            self.app.display_warning("No C compiler made the native shim; the Python shim does the same.")
            return
        machine = TARGETS[target] if target else sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{machine}"
        if version != "editable":
            build_data["force_include"][str(gate)] = PACKAGED

    def finalize(self, *_: object) -> None:
        if folder := getattr(self, "folder", None):
            shutil.rmtree(folder)


def compile_gate(source: Path, gate: Path, target: str = "") -> bool:
    """Whether it was made. For a target of another machine, or with a release's compiler, a failure is an error."""
    digest = hashlib.sha256(source.read_bytes()).hexdigest()[:16]
    flags = ["-std=c11", "-O2", "-s", "-Wall", "-Wextra", f'-DSOURCE_DIGEST="{digest}"', "-o", str(gate), str(source)]
    if target:
        zig = [sys.executable, "-m", "ziglang", "cc", "-target", target, "-Werror"]
        subprocess.run([*zig, *flags], check=True)
        return True
    gate.unlink(missing_ok=True)
    # A program without libraries to load starts in less time. musl's start is the shortest.
    for compiler in (["musl-gcc", "-static"], ["cc", "-static"], ["cc"]):
        program = shutil.which(compiler[0])
        if program and not subprocess.run([program, *compiler[1:], *flags], capture_output=True).returncode:
            return True
    return False
