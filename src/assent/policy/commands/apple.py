"""Swift, Xcode and what stands around them."""

from collections.abc import Iterator

from assent.policy.commands._either import either
from assent.policy.commands._toolchain import BUILD, MADE_AGAIN, PROJECT, REPL, described
from assent.policy.commands.shells import runs_script
from assent.policy.commands.spec import Code, Finding, Invocation, Run, Spec, careful, changes, each, findings
from assent.policy.effects import Effect, care, danger, nothing
from assent.protocol.risk import Risk


def _swift(it: Invocation) -> Iterator[Finding]:
    first = it.operands[0].text if it.operands else ""
    if first in _SWIFT_VERBS and not it.values:
        yield from findings(f"swift {first}", tuple(it.operands[1:]), _SWIFT_VERBS[first], it.setting, it.cwd)
    elif it.has("-e"):
        for code in it.all_values("-e"):
            yield Code("other", code)
    elif it.has("-version", "-h", "-v", "-print-target-info") or it.is_bare:
        yield (
            nothing("It only tells about itself.")
            if not it.is_bare
            else care("run", "It starts an interpreter that waits for input.")
        )
    elif it.operands:
        yield runs_script(it.operands[0], "swift")


_SWIFT_VERBS: dict[str, Spec] = {
    "build": BUILD,
    "test": BUILD,
    "run": PROJECT,
    "repl": REPL,
    "sdk": either("list", "It lists kits.", care("install", "It installs a kit.")),
    "format": changes("write", "It rewrites programs of the project."),
    "package": Spec(
        "It looks after packages.",
        "--package-path=config",
        verbs={
            **each(
                "show-dependencies describe dump-package tools-version completion-tool",
                described("It tells about the project.", "* --package-path=config"),
            ),
            **each("resolve update edit unedit", careful("install", "It downloads packages.")),
            **each("clean reset purge-cache", MADE_AGAIN),
            "init": changes("write", "It makes files of a project."),
            "*": careful("project", "It runs a plugin of the project."),
        },
    ),
}


def _xcodebuild(it: Invocation) -> Iterator[Finding]:
    actions = [arg.text for arg in it.operands]
    if not actions and it.has(
        "-version", "-list", "-showsdks", "-showdestinations", "-showBuildSettings", "-usage", "-help"
    ):
        yield Effect("project", Risk.LOOK, "It tells about the project, and builds nothing.")
    elif actions == ["clean"]:
        yield Effect("delete", Risk.CHANGE, "It removes what was built, which is made again.")
    else:
        yield care("project", "It builds or tests the project.")


def _xcrun(it: Invocation) -> Iterator[Finding]:
    if it.operands:
        yield Run(args=tuple(it.operands))
    else:
        yield nothing("It tells where a tool lies.")


_SIMCTL = either(
    r"(?:list|help|getenv|listapps|appinfo|get_app_container|diagnose --help)\b.*",
    "It lists devices.",
    care("process", "It changes a simulated device."),
)


COMMANDS: dict[str, Spec] = {
    "swift": Spec(
        "It runs and builds programs.",
        "* -e:none -version? -print-target-info? -I: -L: -l: -O?",
        "none*",
        also=_swift,
        wraps=True,
    ),
    "xcodebuild": Spec(
        "It builds the project.",
        "- * -project=config -workspace=config -scheme= -target= -configuration= -sdk= -destination= -arch= -toolchain="
        " -derivedDataPath=write -resultBundlePath=write -archivePath=write -exportPath=write -exportOptionsPlist=read"
        " -xcconfig=config -jobs= -testPlan=",
        "none*",
        also=_xcodebuild,
    ),
    "xcrun": Spec(
        "It runs a tool of Xcode.",
        "--sdk= -sdk: --toolchain= --find= -f: --show-sdk-path --show-sdk-version --show-sdk-platform-path"
        " --show-toolchain-path --version -v -l --log -n --no-cache -k --kill-cache -r --run",
        "none*",
        also=_xcrun,
        wraps=True,
    ),
    "simctl": _SIMCTL,
    "fastlane": either(
        r"(?:lanes|list|--version|env|actions|action \w+)",
        "It lists lanes.",
        danger("publish", "It builds and publishes to stores, as the project says."),
        less=(
            r"(?:ios |android )?(?:test|tests|lint|build|unit_tests|scan|gym)\b.*",
            care("project", "It builds or tests the project."),
        ),
    ),
    **each("xcodegen tuist", BUILD),
}
