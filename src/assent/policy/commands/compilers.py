"""Compilers and what stands around them: they write what they make; some options load code or run programs."""

import re
from collections.abc import Iterator

from assent.policy.commands._either import either
from assent.policy.commands._origins import BUILD, MADE_AGAIN, PROJECT, REPL, described
from assent.policy.commands.shells import runs_script
from assent.policy.commands.spec import (
    Code,
    Finding,
    Invocation,
    Run,
    RunsInput,
    Spec,
    careful,
    changes,
    each,
    findings,
    known,
    reads,
)
from assent.policy.effects import Effect, care, danger, nothing
from assent.policy.shell.words import HOLE, Arg
from assent.protocol.decision import Risk


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


_APPLE: dict[str, Spec] = {
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


# ``-f…``, ``-W…``, ``-m…`` and the like are one option each, with what follows attached.
_CC = (
    "-cSEvwspPCHQ -f:none -W:none -m: -O? -g? -D: -U: -I: -L: -l: -o:none -x: -T:read -u: -z: -e: -M? -MM? -MD? -MMD?"
    " -MP? -MG? -MF:write -MT: -MQ: -MJ:write -std? -isystem: -iquote: -idirafter: -include:read -imacros:read"
    " -isysroot: -iprefix: -B:none -specs:none --specs=none -wrapper:none -Xlinker:none -Xclang:none -Xassembler:"
    " -Xpreprocessor: -load:none -pthread? -pipe? -shared? -static? -rdynamic? -ansi? -pedantic? -pedantic-errors?"
    " -nostdlib? -nostdinc? -nodefaultlibs? -nostartfiles? -static-libgcc? -static-libstdc++? -no-pie? -pie? -pg?"
    " -save-temps? -dumpversion? -dumpmachine? -dumpspecs? -dumpfullversion? -print-search-dirs?"
    " -print-libgcc-file-name?"
    " -print-file-name? -print-prog-name? -print-sysroot? -print-multi-os-directory? -print-targets? -print-multiarch?"
    " -framework: -arch: -target: --target= --sysroot= --param= -A: -idiraft: -nostdinc++? -stdlib? -rpath: -ObjC? -R:"
    " --version --help? --analyze --serialize-diagnostics:write -emit-llvm? -fsyntax-only? -d:none -G: -t -h: -b:"
    " -V: -k"
    " -n -r -i:none -j: -N -F: -a -y -q -K:"
)
_LOADS_CODE = ("plugin", "pass-plugin", "use-ld=/", "use-ld=.")
_TELLS = (
    *("--version", "--help", "-dumpversion", "-dumpmachine", "-dumpspecs", "-dumpfullversion", "-print-search-dirs"),
    *("-print-libgcc-file-name", "-print-file-name", "-print-prog-name", "-print-sysroot", "-print-multiarch"),
    *("-print-multi-os-directory", "-print-targets"),
)


def _loads(it: Invocation) -> Iterator[Finding]:
    """What is loaded into the compiler, or run by it."""
    for value in it.all_values("-f"):
        if value.text.startswith(_LOADS_CODE):
            yield danger("run", "It loads code into the compiler.", f"-f{value.text}")
    for value in it.all_values("-wrapper", "-B", "-specs", "--specs"):
        yield danger("run", "It makes the compiler run a program of its own choice.", value.text)
    for value in (*it.all_values("-W"), *it.all_values("-Xlinker", "-Xclang")):
        if "plugin" in value.text or value.text in ("-load", "-add-plugin"):
            yield danger("run", "It loads code into the compiler.", value.text)
        elif value.text.startswith(("p,-M", "l,-Map", "l,-o")):
            yield it.path(
                "write", Arg(value.text.rpartition(",")[2].partition("=")[2] or value.text.rpartition(",")[2])
            )


# What the compiler writes about its own work, without a name being given.
_BESIDE = (
    "dump-",
    "stack-usage",
    "profile",
    "test-coverage",
    "callgraph-info",
    "save-optimization-record",
    "time-trace",
)


def _writes_beside(it: Invocation) -> bool:
    return it.has("-MD", "-MMD", "-save-temps") or any(value.text.startswith(_BESIDE) for value in it.all_values("-f"))


def _compiles(it: Invocation) -> Iterator[Finding]:
    yield from _loads(it)
    if not it.operands and (it.has(*_TELLS) or it.has("-v")):
        yield nothing("It only tells about itself.")
        return
    for arg in it.operands:
        if arg.text == "-":
            # What is made of hidden text is that text in another form.
            yield RunsInput("c")
        elif arg.text.startswith("@"):
            yield care("unknown", "Its options come from a file.", arg.text)
        else:
            yield it.path("read", arg)
    output = it.value("-o")
    if output is not None and output.text != "-":
        yield it.path("write", output)
    elif it.has("-E", "-M", "-MM", "-fsyntax-only") or any(
        value.text == "syntax-only" for value in it.all_values("-f")
    ):
        if _writes_beside(it):
            yield Effect("write", Risk.CHANGE, "It writes files beside what it prints.")
        yield nothing("It prints what it read.")
    else:
        yield Effect("write", Risk.CHANGE, "It writes what it makes into the folder.")


_COMPILER = Spec("It compiles programs, and writes what it makes.", _CC, "none*", also=_compiles)


def _java_compiles(it: Invocation) -> Iterator[Finding]:
    for value in it.all_values("-processor", "-processorpath", "--processor-path", "-Xplugin", "-cp", "-classpath"):
        if HOLE in value.text or value.text.startswith(("/", "~", "http")):
            yield care("run", "Code from elsewhere runs while it compiles.", value.text.replace(HOLE, "…"))
    for value in it.all_values("-J"):
        if re.fullmatch(r"-X(?:mx|ms|ss)\w+", value.text) is None:
            yield danger("run", "It makes the Java of this tool load or run something.", value.text.replace(HOLE, "…"))
    if it.has("-version", "--version", "-help", "--help") and not it.operands:
        yield nothing("It only tells about itself.")
        return
    for arg in it.operands:
        yield (
            care("unknown", "Its options come from a file.", arg.text) if arg.text[:1] == "@" else it.path("read", arg)
        )
    if not it.has("-d"):
        yield Effect("write", Risk.CHANGE, "It writes what it makes beside the programs.")


_JAVAC = Spec(
    "It compiles programs; processors on the class path run then.",
    "* -d:write -s:write -h:write -cp:none -classpath:none --class-path=none -processor:none -processorpath:none"
    " --processor-path=none -Xplugin:none -J:none -version? --version -help? -source: -target: --release= -encoding:"
    " --module-path= -p: --add-modules= --source-path= -sourcepath: -g? -nowarn? -verbose? -deprecation? -Xlint?"
    " -parameters? -implicit: -proc: -Werror? -Xdiags:",
    "none*",
    also=_java_compiles,
)


def _options_from_files(it: Invocation) -> Iterator[Finding]:
    """``nm @file``: the file holds options, one that loads code perhaps."""
    for arg in it.operands:
        if arg.text.startswith("@"):
            yield care("unknown", "Its options come from a file.", arg.text)


_LINKS = Spec(
    "It binds programs together.",
    "* -o:write -Map:write -plugin:danger --plugin=danger -T:read --script=read -L: -l: -dynamic-linker: --output=write"
    " --error-handling-script=run --dependency-file=write --out-implib=write --output-def=write --base_file=write"
    " --mri-script=read --version-script=read --default-script=read --dynamic-list=read -plugin-opt:danger"
    " --plugin-opt=danger --plugin-save-temps?danger --print-map-discarded --cref -h: -soname: -rpath: -e: -u: -m: -z:",
    "read*",
    does=(Effect("write", Risk.CHANGE, "It writes what it makes into the folder."),),
    also=_options_from_files,
)


_PRINTS = Spec("It reads a program and prints what is in it.", "* --plugin=danger", "read*", also=_options_from_files)

COMMANDS: dict[str, Spec] = {
    **_APPLE,
    **each(
        "gcc g++ cc c++ clang clang++ cpp gfortran gnat emcc em++ nvcc tcc icc icx icpx musl-gcc c89 c99"
        " x86_64-linux-gnu-gcc aarch64-linux-gnu-gcc arm-none-eabi-gcc arm-none-eabi-g++ riscv64-unknown-elf-gcc",
        _COMPILER,
    ),
    "javac": _JAVAC,
    **each(
        "kotlinc scalac scalac3 groovyc",
        Spec(
            "It compiles programs; plugins named on the line run then.",
            "* -d:write -Xplugin?danger -cp: -classpath: -include-runtime? -script:file -version? -help? -P:"
            " -Xscript-resolver? -e:care -expression:care",
            "read*",
            does=(Effect("write", Risk.CHANGE, "It writes what it makes."),),
        ),
    ),
    **each("ld ld.lld ld.gold lld mold wasm-ld", _LINKS),
    "javap": reads(
        "It reads a program and prints what is in it.", "* -J:danger -cp: -classpath: --class-path= -p: -c -v -s -l"
    ),
    **each(
        "nm objdump readelf size otool addr2line c++filt llvm-nm llvm-objdump llvm-readelf dwarfdump gobjdump",
        _PRINTS,
    ),
    **each(
        "ranlib llvm-strip lipo libtool dsymutil",
        careful("write", "It changes programs."),
    ),
    **each(
        "as nasm yasm",
        Spec(
            "It translates programs.",
            "* -o:write -l:write -f: -I: -D: --MD=write -al?write",
            "read*",
            does=(Effect("write", Risk.CHANGE, "It writes what it makes into the folder."),),
        ),
    ),
    "swiftc": Spec(
        "It compiles programs.",
        "* -o:write -load-plugin-library:danger -load-plugin-executable:danger -module-name: -I: -L: -l: -O?"
        " -version? -emit-module? -target: -sdk:",
        "read*",
        does=(Effect("write", Risk.CHANGE, "It writes what it makes."),),
    ),
    **each(
        "protoc",
        Spec(
            "It makes programs from descriptions.",
            "* -I: --proto_path= --plugin=danger -o:write --descriptor_set_out=write",
            "read*",
            does=(care("project", "Its plugins run, and write programs into the project."),),
        ),
    ),
    "buf": Spec(
        "It looks after descriptions of services.",
        "--version --help",
        verbs={
            **each(
                "lint breaking build ls-files",
                known("It reads descriptions and says what is wrong with them.", "* -o:write --output=write"),
            ),
            "format": changes("write", "It rewrites descriptions.", "* -o:write"),
            "generate": careful("project", "Its plugins run, and write programs."),
            "push": careful("publish", "It publishes descriptions."),
            **each("dep mod", careful("fetch", "It downloads descriptions.")),
        },
    ),
    **each("flex bison yacc lex", changes("write", "It writes a program.", "* -o:write --output=write", "read*")),
    **each(
        "ccache distcc sccache",
        either(r"-s|--show-stats|--version|-V|-p", "It tells about its cache.", care("run", "It runs a compiler.")),
    ),
    "pkg-config": known("It tells how to build with libraries.", "*"),
    **each("gcov lcov gcovr llvm-cov llvm-profdata genhtml", careful("write", "It writes what tests covered.")),
    **each(
        "nim nimc crystal v odin d dmd ldc2 fpc vala valac",
        either(
            r"(?:-v|version|env|check .*|tool format --check.*)",
            "It only looks.",
            care("project", "It builds or runs the project."),
        ),
    ),
}
