"""Headings for commands: from knowledge of the program, else from the judged effects."""

import itertools
import re
import shlex
from collections.abc import Callable, Sequence

from assent.asks.card import names
from assent.asks.card.segments import parsed
from assent.protocol.decision import Risk, Step, telling
from assent.protocol.decision import Seen as Effect

_BY_VERB: dict[str, str] = {
    "Run the tests": (
        "pytest|py.test|tox|nox|jest|vitest|mocha|rspec|phpunit|ctest|npm test|npm t|npm run test|yarn test"
        "|yarn run test|pnpm test|pnpm run test|bun test|bun run test|cargo test|cargo nextest|go test"
        "|make test|make check|mvn test|gradle test|./gradlew test|dotnet test|mix test|rake test"
        "|python -m pytest|python3 -m pytest|python -m unittest|python3 -m unittest|uv run pytest"
        "|poetry run pytest|deno test|swift test"
    ),
    "Build the project": (
        "make|npm run build|yarn build|pnpm build|pnpm run build|bun run build|cargo build|go build|cmake"
        "|ninja|mvn package|mvn install|gradle build|./gradlew build|dotnet build|swift build|bazel build"
    ),
    "Check the code": (
        "eslint|ruff|ruff check|mypy|pyright|tsc|npm run lint|yarn lint|pnpm lint|cargo clippy|cargo check"
        "|go vet|pylint|flake8|shellcheck|pre-commit run"
    ),
    "Format the code": "prettier|black|ruff format|gofmt|cargo fmt|go fmt|npm run format",
    "List files": "ls|tree|git ls-files",
    "Search files": "grep|rg|git grep",
    "Show what changed": "git status|git diff|git log|git show",
    "Make or list branches": "git branch",
    "Delete untracked files": "git clean",
    "Commit": "git commit",
    "Stage files": "git add",
    "Rewrite the last commit": "git commit --amend",
    "Rewrite commits": "git rebase|git filter-branch|git filter-repo",
    "Merge {}": "git merge",
    "Pull from the remote": "git pull",
    "Fetch commits": "git fetch|git remote update",
    "Clone {}": "git clone",
    "Put changes aside": "git stash|git stash push|git stash save",
    "Bring changes back that were put aside": "git stash pop|git stash apply",
    "Delete changes that were put aside": "git stash drop|git stash clear",
    "Delete branch {}": "git branch -D|git branch -d|git branch --delete",
    "Delete tag {}": "git tag -d|git tag --delete",
    "Tag {}": "git tag",
    "Switch to {}": "git switch|git checkout",
    "Throw away uncommitted changes": ("git reset --hard|git checkout --|git checkout .|git restore|git checkout -f"),
    "Move the branch": "git reset",
    "Change git's settings": "git config",
    "Publish the package": (
        "npm publish|yarn publish|pnpm publish|cargo publish|twine upload|poetry publish|uv publish|gem push"
        "|python -m twine upload"
    ),
    "Open a pull request": "gh pr create",
    "Merge a pull request": "gh pr merge",
    "Comment on a pull request": "gh pr comment|gh pr review",
    "Open an issue": "gh issue create",
    "Comment on an issue": "gh issue comment",
    "Publish a release": "gh release create",
    "Destroy real infrastructure": "terraform destroy|tofu destroy|pulumi destroy|cdk destroy",
    "Change real infrastructure": "terraform apply|tofu apply|pulumi up|cdk deploy|serverless deploy",
    "Delete {} in the cluster": "kubectl delete|oc delete",
    "Change the cluster": (
        "kubectl apply|kubectl patch|kubectl create|kubectl scale|kubectl rollout|kubectl edit|helm upgrade"
        "|helm install|kubectl replace|kubectl set"
    ),
    "Run a command in the cluster": "kubectl exec|kubectl run|oc exec",
    "Remove {} from the cluster": "helm uninstall|helm delete",
    "Start containers": "docker compose up|docker-compose up|podman compose up",
    "Stop containers and delete their data": "docker compose down -v|docker-compose down -v",
    "Open {}": "open|xdg-open",
    "Stop containers": "docker compose down|docker-compose down|docker stop|docker compose stop",
    "Delete containers or images": (
        "docker rm|docker rmi|docker system prune|docker image prune|docker volume rm|docker volume prune"
        "|docker container prune"
    ),
    "Build an image": "docker build|docker buildx build|podman build",
    "Push an image": "docker push|podman push",
    "Run a container": "docker run|podman run",
    "Run a command in a container": "docker exec|docker compose exec|docker compose run|podman exec",
    "Connect to {}": "ssh|mosh|telnet",
    "End processes": "kill|pkill|killall",
    "Change what runs by the clock": "crontab|at|systemd-run",
    "Type into a terminal": "tmux send-keys|tmux send|xdotool|screen -X",
    "Change permissions of {}": "chmod|setfacl",
    "Change the owner of {}": "chown|chgrp",
    "Make folder {}": "mkdir",
    "Move {}": "mv|git mv",
    "Copy {}": "cp|scp|rsync",
    "Keep {} running": "nohup|setsid",
    "Change the database": (
        "alembic upgrade|alembic downgrade|prisma migrate|rails db:migrate|rake db:migrate|flyway migrate"
        "|python manage.py migrate|python3 manage.py migrate"
    ),
    "Delete all data": "redis-cli flushall|redis-cli flushdb|dropdb",
    "Show all variables": "env|printenv|export -p",
}
PHRASES = {phrase: verb for verb, phrases in _BY_VERB.items() for phrase in phrases.split("|")}
MOST_WORDS = max(len(phrase.split()) for phrase in PHRASES)


Namer = Callable[[str], str]

_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_LONGEST_READ = 2_000

# Sub-commands that take names of packages.
_INSTALLS = frozenset({"install", "i", "add", "get", "-S", "upgrade", "update"})
_RECIPES = frozenset({"make", "gmake", "just", "task", "rake", "invoke"})
# Of copying programs, those that take a word of their own.
_COPY_OPTIONS = frozenset(
    {"-e", "--rsh", "-i", "-o", "-F", "-P", "-l", "-c", "-J", "-S", "-f", "--exclude", "--include"}
)
_CLUSTERS = frozenset({"kubectl", "oc", "helm"})
_CLUSTER_OPTIONS = frozenset({"--context", "--kube-context", "--cluster", "-n", "--namespace"})
_DATABASES = frozenset({"psql", "mysql", "mariadb", "sqlite3", "mongosh", "mongo", "redis-cli", "sqlcmd", "duckdb"})
_SENTENCE = re.compile(r"It ((?!is |was |has )(?:[a-z]+s, )*[a-z]+s(?: (?:or|and) [a-z]+s)?)\b([^,;:.]*)")
# Neither nothing, nor known only when it runs, nor a name that the shell makes up.
_NAMED = re.compile(r"(?!…+$|/dev/fd/)\S")
_VERB = re.compile(r"[a-z]+s\b")
_HISSES = re.compile(r"(?:sh|ch|ss|x|o)es$")
_UNSEEN = "It runs what it downloads, unseen."

_PRIVATE_KEY = re.compile(r"/id_[a-z0-9]+(?:_sk)?$|\.(?:pem|key|p12|pfx|ppk)$")
_STATEMENTS = tuple(
    (re.compile(rf"\s*{pattern}(?:\s+([\w.\"`$-]+)|$)", re.IGNORECASE), verb)
    for pattern, verb in (
        (r"flush(?:all|db)", "Delete all data"),
        (r"update(?:\s+only)?", "Change rows of {}"),
        (r"delete\s+from(?:\s+only)?", "Delete rows of {}"),
        (r"insert\s+(?:or\s+\w+\s+)?into", "Add rows to {}"),
        (r"(?:merge|replace)\s+into", "Change rows of {}"),
        (r"truncate(?:\s+table)?(?:\s+only)?", "Delete all rows of {}"),
        (r"drop\s+(?:table|view|materialized\s+view)(?:\s+if\s+exists)?", "Delete the table {}"),
        (r"drop\s+(?:database|schema)(?:\s+if\s+exists)?", "Delete the database {}"),
        (r"alter\s+table(?:\s+if\s+exists)?(?:\s+only)?", "Change the table {}"),
        (r"create\s+(?:\w+\s+)?table(?:\s+if\s+not\s+exists)?", "Create the table {}"),
    )
)

MOST_NAMED = 3

# By what it does; without a target the judge's own sentence says it.
_KINDS: dict[str, str] = {
    "read": "Read {}",
    "write": "Write {}",
    "delete": "Delete {}",
    "mode": "Change permissions of {}",
    "fetch": "Fetch {}",
    "send": "Send {}",
    "run": "Run {}",
    "project": "Run {}",
    "persist": "Change {}, which is obeyed later",
    "history": "Change the history of {}",
    "publish": "Publish to {}",
    "remote": "Change {}",
    "secret": "Read the secret {}",
    "typing": "Type in your place",
    "agent": "Start another agent",
    "tamper": "Change the guard itself",
    "device": "Write to {}",
}
# Of these the target says more than the name of the program.
_TELLING = frozenset({"persist", "tamper", "secret", "send"})
_ADDRESSES = frozenset({"fetch", "query"})


def weight(effect: Effect) -> tuple[Risk, int, bool]:
    """What is told first: the worst, then what tells most, then what is known before it runs."""
    return parsed(effect.risk), telling(effect.kind), "…" not in effect.target


def worst(effects: Sequence[Effect]) -> Effect | None:
    return max(effects, key=weight, default=None)


def of_step(step: Step, name: Namer) -> str:
    words = _words(step.command)
    main = worst(step.effects)
    if main is None:
        return _known(words, name) or of_text(step.command)
    if special := _special(words, main, step.effects):
        return special
    is_telling = main.kind in _TELLING and _NAMED.match(main.target) is not None
    if not is_telling and (well_known := _known(words, name)):
        return f"{well_known}, with more rights" if main.kind == "privilege" else well_known
    return of_effects(step.effects, name) or of_text(step.command)


def of_effects(effects: Sequence[Effect], name: Namer) -> str:
    """By the worst of them; "" where they say nothing that a person could use."""
    main = worst(effects)
    if main is None or main.kind == "unknown":
        return ""
    if main.kind in ("nothing", "dynamic"):
        return "Hide what it says" if "hides what it says" in main.why else _of_why(main.why)
    targets = list(dict.fromkeys(e.target for e in effects if e.kind == main.kind and _NAMED.match(e.target)))
    template = _KINDS.get(main.kind, "")
    if not targets or "{}" not in template:
        phrase = template if "{}" not in template else ""
        return phrase or _of_why(main.why) or ("Delete files" if main.kind == "delete" else "")
    if main.kind == "send":
        paths = [name(target) for target in targets if "://" not in target]
        return f"Send {names.listed(paths) or 'data'} {_to(effects, name)}"
    if main.kind == "secret" and all(map(_PRIVATE_KEY.search, targets)):
        template = "Read the private key {}"
    if main.kind == "remote" and "to delete" in main.why:
        template = "Delete {}"
    called = [names.host(target) if main.kind in _ADDRESSES else name(target) for target in targets]
    return template.format(names.listed(called, MOST_NAMED)).replace("Write the ", "Write into the ")


def _of_why(why: str) -> str:
    """``It deletes files in the cloud, and …`` becomes ``Delete files in the cloud``."""
    match = _SENTENCE.match(why)
    if match is None:
        return ""
    sentence, rest = match.groups()
    return names.cut(f"{_VERB.sub(_plain, sentence).capitalize()}{rest}", 80)


def _plain(match: re.Match[str]) -> str:
    verb = match[0]
    return f"{verb[:-3]}y" if verb.endswith("ies") else verb[:-2] if _HISSES.search(verb) else verb[:-1]


def _to(effects: Sequence[Effect], name: Namer) -> str:
    """``to example.com``, ``to 3 servers``"""
    sent = [names.host(e.target) for e in effects if e.kind == "send" and "://" in e.target]
    asked = [names.host(e.target) for e in effects if e.kind == "fetch" and e.target]
    given = [name(e.target) for e in effects if e.kind in ("publish", "remote") and e.target]
    where = list(dict.fromkeys(sent or asked or given))
    return f"to {where[0] if len(where) == 1 else f'{len(where)} servers'}" if where else "away"


def _special(words: list[str], worst: Effect, effects: Sequence[Effect]) -> str:
    program = words[0] if words else ""
    if words[:2] == ["git", "push"]:
        return _push(words, effects)
    if program == "git" and words[1:2] in (["checkout"], ["switch"]) and worst.risk == "danger":
        return "Throw away uncommitted changes"
    if worst.kind == "install":
        return _install(words)
    if program == "systemctl" and len(words) > 2:
        return f"{words[1].capitalize()} {names.listed([names.cut(word) for word in words[2:]])}"
    if program in ("scp", "rsync") and (copied := _copied(words, effects)):
        return copied
    if program in _DATABASES and worst.kind == "remote" and worst.target:
        statements = (effect.target for effect in effects if effect.kind == "remote" and " " in effect.target)
        return _told_database(words, next(statements, worst.target))
    if program in _RECIPES and (recipe := " ".join(word for word in words[1:] if not word.startswith("-"))):
        return PHRASES.get(f"{program} {recipe}") or f"Run {names.cut(f'{program} {recipe}')}"
    return "Run what it downloads" if worst.why == _UNSEEN else ""


def _copied(words: list[str], effects: Sequence[Effect]) -> str:
    """``Copy dist/app.tgz to web1:/srv``, ``Copy dist to 3 servers, deleting the rest there``"""
    named = [word for before, word in itertools.pairwise(words) if before not in _COPY_OPTIONS]
    sources = [word for word in named if not word.startswith("-")][:-1]
    where = list(dict.fromkeys(effect.target for effect in effects if effect.kind == "remote" and effect.target))
    if not sources or not where or any(":" in source for source in sources):
        return ""
    to = names.cut(where[0], 40) if len(where) == 1 else f"{len(where)} servers"
    rest = ", deleting the rest there" if any(word.startswith("--delete") for word in words) else ""
    return f"Copy {names.listed([names.cut(source, 40) for source in sources])} to {to}{rest}"


def _told_database(words: list[str], statement: str) -> str:
    """``Change rows of orders in $PROD_DATABASE_URL``"""
    for pattern, verb in _STATEMENTS:
        if match := pattern.match(statement):
            where = _database(words)
            if "{}" not in verb:
                return verb
            return f"{verb.format(names.cut(match[1].strip(chr(34) + '`;'), 40))}{f' in {where}' if where else ''}"
    return f"Tell the database: {names.cut(statement)}"


def _database(words: list[str]) -> str:
    """By its name or the variable that holds its address; an address itself may hold a password."""
    operands: list[str] = []
    for before, word in itertools.pairwise(words):
        if before in ("-d", "--dbname", "-D", "--database"):
            return "" if "://" in word else names.cut(word, 40)
        if not word.startswith("-") and not before.startswith("-"):
            operands.append(word)
    return names.cut(operands[0], 40) if operands and "://" not in operands[0] and " " not in operands[0] else ""


def _known(words: list[str], name: Namer) -> str:
    words, cluster = _without_place(words)
    for count in range(min(MOST_WORDS, len(words)), 0, -1):
        verb = PHRASES.get(" ".join(words[:count]))
        if verb is None:
            continue
        if "{}" not in verb:
            return f"{verb} {names.cut(cluster, 40)}" if cluster and verb.endswith("the cluster") else verb
        rest = [word for word in words[count:] if not word.startswith("-")]
        if verb.startswith(("Change permissions", "Change the owner")):
            rest = rest[1:]
        if verb.startswith(("Copy", "Move")) and len(rest) > 1:
            *sources, last = rest
            return f"{verb.format(names.listed([name(each) for each in sources]))} to {name(last)}"
        if verb.startswith(("Connect", "Switch", "Merge", "Clone", "Tag", "Keep")):
            rest = rest[:1]
        if verb.endswith("in the cluster"):
            return verb.format(names.cut(" ".join(rest)))
        if rest:
            return verb.format(names.listed([name(word) for word in rest]))
    return ""


def _without_place(words: list[str]) -> tuple[list[str], str]:
    """``kubectl --context prod apply`` is an ``apply``; and the cluster it is about."""
    if not words or words[0] not in _CLUSTERS:
        return words, ""
    left, cluster, at = words[:1], "", 1
    while at < len(words):
        option, _, value = words[at].partition("=")
        if option in _CLUSTER_OPTIONS:
            value, at = (value, at) if value else (words[at + 1] if at + 1 < len(words) else "", at + 1)
            cluster = cluster or value
        else:
            left.append(words[at])
        at += 1
    return left, cluster


def _push(words: list[str], effects: Sequence[Effect]) -> str:
    where = next((effect.target for effect in effects if effect.kind == "publish"), "")
    to = "/".join(part.lstrip("+:") for part in where.split(", ") if part) or "the remote"
    if any(word in ("--delete", "-d") or word.startswith(":") for word in words):
        return f"Delete {names.cut(to)} on the remote"
    forced = any(word in ("-f", "--force", "--mirror") or word.startswith(("--force-", "+")) for word in words[2:])
    return f"{'Force-push' if forced else 'Push'} to {names.cut(to)}"


def _install(words: list[str]) -> str:
    at = next((number for number, word in enumerate(words) if word in _INSTALLS), None)
    arguments = [word for word in words[at + 1 :] if not word.startswith("-")] if at is not None else []
    packages = [word for word in arguments if word not in (".", "-") and "://" not in word and "$" not in word]
    return f"Install {names.listed([names.cut(each, 40) for each in packages])}" if packages else "Install packages"


def of_text(command: str) -> str:
    """By its first word."""
    called = program(command)
    return f"Run {names.cut(called, 40)}" if called else "Run a command"


def program(command: str) -> str:
    words = _words(command)
    return words[0].rpartition("/")[2] if words else ""


def _words(command: str) -> list[str]:
    """As the shell would split it, or nearly; for headings only, never for judging."""
    beginning = command[:_LONGEST_READ]
    try:
        words = shlex.split(beginning)
    except ValueError:
        words = beginning.split()
    while words and _ASSIGNMENT.match(words[0]):
        words = words[1:]
    return words
