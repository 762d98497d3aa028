"""How long the judge thinks: typical calls, and the worst that 64 KiB can do."""

import re
import shlex
import signal
import time
from pathlib import Path
from typing import Any

from assent.hub.pipeline.policy_in_force import PolicyInForce
from assent.paths import find
from assent.policy import judge
from assent.policy import own as owning
from assent.policy.call import Scene
from assent.policy.shell import parser
from assent.protocol.events import PreToolUse
from bench import guard, machine
from bench.events import rules
from bench.load import quiet
from bench.machine import Effort
from bench.stats import Spread, short
from bench.table import Check, Report, Table

NAME = "verdict"
Call = tuple[str, dict[str, Any]]
LARGE = 64 << 10
# Twenty times the budget: what needs longer is cut off and has failed.
LONGEST = 1.0

COMMANDS = r"""
ls -la src
git status
git diff --stat HEAD~1
git log --oneline -20
git add -A && git commit -m "Fix the parser"
git push origin main
cat package.json | head -50
rg -n "def main" src --type py
find . -name '*.py' -not -path './.venv/*' | xargs wc -l
npm test -- --watch=false
npm run build && npm run lint
python -m pytest tests/unit -x -q 2>&1 | tail -40
pytest tests/test_api.py::test_login -vv
cargo test --workspace -- --nocapture
go vet ./... && go test ./...
make check
docker compose up -d db && sleep 2 && docker compose logs db | tail
curl -s http://localhost:8000/health | jq .status
for f in src/*.ts; do echo "$f"; wc -l "$f"; done
sed -n '1,120p' src/server/index.ts
mkdir -p build/out && cp -r assets build/out/
python - <<'EOF'\nimport json\nprint(json.dumps({"a": 1}))\nEOF
FOO=bar BAZ="$(date +%s)" node scripts/release.js --dry-run
cd packages/web && pnpm install --frozen-lockfile
grep -rn "TODO" --include='*.py' . | sort | uniq -c | sort -rn | head
kill $(lsof -t -i:3000) 2>/dev/null || true
test -f .env && echo yes || echo no
gh pr view 123 --json title,body,files
kubectl get pods -n staging -o wide
psql "$DATABASE_URL" -c 'select count(*) from users where active'
rm -rf node_modules dist
echo "done" > /tmp/marker
""".strip().splitlines()

# One shape each; all are cut to 64 KiB.
SHAPES = {
    "one long word": "a",
    "words": "a ",
    "lines": "ls\n",
    "commands": "a;",
    "and, and": "a && ",
    "pipes": "a | ",
    "single quotes": "'",
    "quoted words": "'a' ",
    "double quotes": '"a" ',
    "open double quote": '"a',
    "backslashes": "\\",
    "line continuations": "a \\\n",
    "backticks": "`",
    "substitutions": "$(",
    "closed substitutions": "$(a) ",
    "nested quoted substitutions": '"$(',
    "variables": "$a",
    "braced variables": "${a:-",
    "arithmetic": "$((",
    "subshells": "(",
    "groups": "{ ",
    "redirects": "> a ",
    "here documents": "<<E ",
    "here strings": "<<<a ",
    "assignments": "A=b ",
    "sudo": "sudo ",
    "env": "env A=b ",
    "sh -c": "sh -c '",
    "eval": "eval ",
    "xargs": "xargs ",
    "find -exec": "find . -exec ",
    "git push": "git push ",
    "stars": "* ",
    "brackets": "[a",
    "braces": "{a,",
    "comments": "# a\n",
    "tabs": "\t",
    "zeros": "\0",
    "letters beyond ASCII": "ä🦀",
    "bidirectional marks": "\u202e",
    "rm of many": "rm -rf a ",
    "loops": "for a in b; do ",
    "cases": "case a in b) ",
    "functions": "a() { ",
}


def measure(effort: Effort) -> Report:
    with machine.folder() as root:
        (root / "project/.git").mkdir(parents=True)
        paths = find({"ASSENT_HOME": str(root / "assent")})
        paths.config_dir.mkdir(parents=True)
        paths.rules.write_text(rules())
        own = owning.of(paths)
        judging = Judging(PolicyInForce(paths), Scene(project=root / "project", attended=True, own=own))
        rounds = effort.pick(300, 20)
        typical, obvious = _typical(judging, rounds)
        guard_times = guard.seconds(_commands(), max(rounds // 10, 5), root / "project")
        large = _large(judging, root / "project")
    slowest = sorted(large.items(), key=lambda item: item[1], reverse=True)
    spread, other = Spread.of(typical), Spread.of(obvious)
    columns = ("one call, µs", "min", "p50", "p99", "calls")
    rows = [
        ("**judge**: floor, 20 rules, stance", *spread.cells(1e6)),
        ("the obvious version: shlex and 20 patterns", *other.cells(1e6)),
    ]
    note = f"{guard.NAME} {guard.VERSION} could not be installed here, so it was not measured."
    if guard_times is not None:
        rows.append((f"{guard.NAME} {guard.VERSION}, a public guard", *Spread.of(guard_times).cells(1e6)))
        note = "The other guard judges the shell lines only, without rules, in a process of its own."
    worst = tuple((name, short(seconds * 1e3)) for name, seconds in slowest[:8])
    return Report(
        NAME,
        (
            Table("Judging a typical call", columns, tuple(rows), note),
            Table(f"Judging 64 KiB: the slowest of {len(large)} shapes", ("shape", "ms, best of 3"), worst),
        ),
        (
            Check("verdict on a typical command, p50", spread.p50 * 1e6, 150, "µs"),
            Check("verdict on a typical command, p99", spread.p99 * 1e6, 1_000, "µs"),
            Check(f"verdict on 64 KiB, the slowest shape ({slowest[0][0]})", slowest[0][1] * 1e3, 50, "ms"),
        ),
    )


class Judging:
    def __init__(self, policy: PolicyInForce, scene: Scene) -> None:
        self.scene = scene
        self._voices = policy.voices

    def seconds(self, tool: str, tool_input: dict[str, Any]) -> float:
        """Of a fresh event: voices keep what they found out with it."""
        event = PreToolUse(session_id="s", cwd=str(self.scene.project), tool_name=tool, tool_input=tool_input)
        parser.read.cache_clear()
        start = time.perf_counter()
        verdict = judge.judge(event, self.scene, self._voices)
        seconds = time.perf_counter() - start
        assert not any(line.by.startswith("judge:") for line in verdict.trace), "a voice failed, and fast"
        return seconds


def _typical(judging: Judging, rounds: int) -> tuple[list[float], list[float]]:
    commands = _commands()
    calls: list[Call] = [("Bash", {"command": command}) for command in commands]
    calls += [("Read", {"file_path": str(judging.scene.project / "src/main.py")})]
    calls += [("Edit", {"file_path": "src/main.py", "old_string": "a", "new_string": "b"})]
    calls += [("WebFetch", {"url": "https://docs.python.org/3/", "prompt": "read"})]
    obvious = Obvious()
    ours: list[float] = []
    theirs: list[float] = []
    with quiet():
        for number in range(-2, rounds):
            for call in calls:
                seconds = judging.seconds(*call)
                if number >= 0:
                    ours.append(seconds)
            for command in commands:
                seconds = obvious.seconds(command)
                if number >= 0:
                    theirs.append(seconds)
    return ours, theirs


def _commands() -> list[str]:
    return [command.replace("\\n", "\n") for command in COMMANDS]


class Obvious:
    """A peer: split the line into words and hold it against patterns. It understands nothing."""

    def __init__(self) -> None:
        self._patterns = [re.compile(re.escape(f"tool{number} ") + ".*") for number in range(20)]

    def seconds(self, command: str) -> float:
        start = time.perf_counter()
        try:
            line = " ".join(shlex.split(command))
        except ValueError:
            line = command
        any(pattern.fullmatch(line) for pattern in self._patterns)
        return time.perf_counter() - start


def _large(judging: Judging, project: Path) -> dict[str, float]:
    calls: dict[str, Call] = {name: ("Bash", {"command": _filled(shape)}) for name, shape in SHAPES.items()}
    calls["a path"] = "Read", {"file_path": _filled(f"{project}/a/../")}
    calls["an edit"] = "Write", {"file_path": "a", "content": _filled("a")}
    calls["a URL"] = "WebFetch", {"url": _filled("https://a.b/"), "prompt": "p"}
    calls["an unknown tool"] = "mcp__a__b", {"a": _filled("a")}
    machine.say(f"  verdict: {len(calls)} inputs of 64 KiB")
    return {name: _best(judging, call) for name, call in calls.items()}


def _best(judging: Judging, call: Call) -> float:
    """The best of three, so that a neighbour on the machine is not taken for the judge."""
    with quiet():
        first = _bounded(judging, call)
        return first if first >= LONGEST else min(first, *(_bounded(judging, call) for _ in range(2)))


class _TooLongError(BaseException):
    """Not an Exception: the judge catches those, and would answer for the voice we cut off."""


def _bounded(judging: Judging, call: Call) -> float:
    def cut(*_: object) -> None:
        raise _TooLongError

    before = signal.signal(signal.SIGALRM, cut)
    signal.setitimer(signal.ITIMER_REAL, LONGEST)
    try:
        return judging.seconds(*call)
    except _TooLongError:
        return LONGEST
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _filled(shape: str) -> str:
    return (shape * (LARGE // len(shape.encode()) + 1)).encode()[:LARGE].decode(errors="ignore")
