"""Commands that start another one for each thing that comes in: xargs, parallel."""

import re
from collections.abc import Iterator

from assent.policy.commands.spec import Finding, Invocation, Run, RunsInput, Spec
from assent.policy.effects import care, danger, nothing
from assent.policy.words import HOLE, Arg

MOST_ITEMS = 16

_SOURCES = frozenset({":::", "::::", ":::+", "::::+"})
_PLACES = re.compile(r"\{(?:[.#%/]|//|/\.|[-+]?\d+(?:[./]|//|/\.)?|=[^}]*=)?\}")


def _xargs(it: Invocation) -> Iterator[Finding]:
    if it.has("--version", "--help", "--show-limits"):
        yield nothing("It only tells about itself.")
        return
    placeholder = it.value("-I", "-J", "--replace", "-i")
    words = tuple(it.operands) or (Arg("echo"),)
    yield Run(
        args=words,
        open_ended=True,
        placeholder="" if placeholder is None else placeholder.text or "{}",
        separated=it.has("-0", "--null", "-d", "--delimiter"),
        # From a file, whatever flows in.
        fed=it.has("-a", "--arg-file"),
    )


def _parallel(it: Invocation) -> Iterator[Finding]:
    if it.has("--version", "--help", "-V", "-h", "--citation", "--number-of-cores", "--number-of-cpus"):
        yield nothing("It only tells about itself.")
        return
    if it.has("-S", "--sshlogin", "--slf", "--sshloginfile"):
        yield danger("remote", "It runs commands on other machines.")
    words, sources = _split(it.operands)
    items = [arg for mark, args in sources if mark.startswith(":::") and "::::" not in mark for arg in args]
    for mark, args in sources:
        if "::::" in mark:
            for arg in args:
                yield it.path("read", arg)
    is_from_elsewhere = not sources or len(items) > MOST_ITEMS or any("::::" in mark for mark, _ in sources)
    if not words:
        # Each thing that comes in is a line of its own.
        for item in items[:MOST_ITEMS]:
            yield Run(line=item)
        if is_from_elsewhere:
            yield RunsInput("sh") if not it.has("-a", "--arg-file") and not sources else _LINES
        return
    line = " ".join(word.text for word in words)
    if it.has("--pipe", "--pipepart", "--spreadstdin"):
        yield Run(line=Arg(line))
        return
    for item in items if not is_from_elsewhere and len(sources) == 1 else [Arg(HOLE)]:
        yield Run(line=Arg(_filled(line, item.text)))


def _filled(line: str, item: str) -> str:
    return _PLACES.sub(lambda _: item, line) if _PLACES.search(line) else f"{line} {item}"


_LINES = danger("run", "It runs the lines of a file, unseen.")


def _split(operands: list[Arg]) -> tuple[list[Arg], list[tuple[str, list[Arg]]]]:
    words: list[Arg] = []
    sources: list[tuple[str, list[Arg]]] = []
    for arg in operands:
        if arg.text in _SOURCES:
            sources.append((arg.text, []))
        elif sources:
            sources[-1][1].append(arg)
        else:
            words.append(arg)
    return words, sources


_PARALLEL = Spec(
    "It runs a line for each thing that comes in.",
    "-0kmqruvXxtVhlg -a:read --arg-file=read -j: --jobs= -P: --max-procs= -n: --max-args= -N: --max-replace-args= -I:"
    " -d: --delimiter= -C: --colsep= -L: --max-lines= -s: --max-chars= -S:none --sshlogin=none --slf=none"
    " --sshloginfile=none --results=write --joblog=write --tmpdir=write --workdir= --wd= --env= --halt= --timeout="
    " --retries= --delay= --load= --memfree= --nice= --block= --recstart= --recend= --header= --tagstring= --bar --eta"
    " --progress --tag --keep-order --group --ungroup --line-buffer --lb --null --quote --dry-run --dryrun --verbose"
    " --pipe --pipepart --spreadstdin --will-cite --citation --no-run-if-empty --resume --resume-failed --shuf --silent"
    " --color --link --xapply --plus --trim= --number-of-cores --number-of-cpus --version --help --tmux --fifo --cat"
    " --files --profile=config -J:config --rpl= --transferfile= --return= --cleanup --basefile= --bf= --semaphore --fg"
    " --bg --wait --id= --sem",
    "none*",
    also=_parallel,
    wraps=True,
)

COMMANDS: dict[str, Spec] = {
    **dict.fromkeys(
        ("xargs", "gxargs"),
        Spec(
            "It runs a command with what comes in as its words.",
            "-0rtpxo -a:read -d: -E: -e? -I: -J: -R: -i? -l? -L: -n: -P: -s: -S: --null --arg-file=read --delimiter="
            " --eof? --replace? --max-lines? --max-args= --max-procs= --max-chars= --no-run-if-empty --interactive"
            " --verbose --exit --open-tty --process-slot-var=care --show-limits --version --help",
            "none*",
            also=_xargs,
            wraps=True,
        ),
    ),
    "parallel": _PARALLEL,
    "sem": _PARALLEL,
    "apply": Spec("It runs a command for each word.", "*", does=(care("dynamic", "It builds commands from words."),)),
}
