"""What the people and agents of a made-up history work on, type and run: few things often, many things once."""

import random
from collections.abc import Iterable
from itertools import accumulate
from typing import Any, NamedTuple

HOME = "/home/dev"


class Project(NamedTuple):
    name: str
    kind: str
    # How much of the work happens here.
    share: int

    @property
    def folder(self) -> str:
        return f"{HOME}/src/{self.name}"


PROJECTS = (
    Project("webshop", "python", 34),
    Project("billing-api", "python", 22),
    Project("storefront", "node", 20),
    Project("infra", "ops", 9),
    Project("mobile", "node", 7),
    Project("data-jobs", "python", 5),
    Project("dotfiles", "ops", 2),
    Project("website", "node", 1),
)

_AREAS, _PARTS, _VERBS, _NOUNS = (
    words.split()
    for words in (
        "auth cart checkout catalog invoice ledger session search payment refund report import export webhook",
        "models views service client schema store queue cache handler worker routes forms tasks policy limits",
        "validate load parse sync retry render merge refresh normalise archive schedule debounce encode",
        "token basket voucher address currency rounding timezone locale shipment quota stock banner coupon",
    )
)
_ENDINGS = {"python": "py", "node": "ts", "ops": "tf"}
_BRANCHES = ["main", "fix/{area}-{noun}", "feature/{verb}-{noun}", "chore/deps", "release/{minor}"]

# Weight, command, what the agent says it does. Weights fall off as in real shells: a few commands are most of the work.
_COMMANDS: dict[str, tuple[tuple[int, str, str], ...]] = {
    "any": (
        (60, "git status", "Show the working tree"),
        (46, "git diff", "Show what changed"),
        (22, "git diff --stat {branch}", "Show what changed since the branch"),
        (24, "git log --oneline -{n}", "Show recent commits"),
        (20, "ls -la {folder}", "List files"),
        (18, 'grep -rn "{verb}_{noun}" {folder}/', "Find uses"),
        (16, "git add -A && git commit -m '{Verb} the {noun} in {area} ({issue})'", "Commit"),
        (14, "cat {file}", "Show the file"),
        (12, "git push origin {branch}", "Push the branch"),
        (10, "sed -n '{n},{m}p' {file}", "Show some lines"),
        (9, "find . -name '*{noun}*' -not -path './node_modules/*'", "Find files by name"),
        (8, "git checkout -b {branch}", "Make a branch"),
        (7, "gh pr view {issue_number} --comments", "Read the review"),
        (6, "gh pr create --title '{Verb} {noun}' --body 'Fixes {issue}'", "Open a pull request"),
        (6, "rg -n '{Verb}{Noun}' --type {ending}", "Find a class"),
        (5, "docker compose up -d", "Start the services"),
        (5, "docker compose logs --tail {n} {area}", "Read the logs"),
        (5, "curl -s http://localhost:{port}/{area}/{noun}?id={hex} | jq .", "Try the endpoint"),
        (4, "git rebase -i origin/main", "Tidy the commits"),
        (3, "git stash && git pull --rebase && git stash pop", "Bring the branch up to date"),
        (3, "wc -l {file} {file}", "Count lines"),
        (3, "mkdir -p {folder}/{area} && touch {folder}/{area}/{part}.{ending}", "Make a module"),
        (2, "rm -rf build dist .cache/{hex}", "Remove what was built"),
        (2, "git push --force-with-lease origin {branch}", "Push the rebased branch"),
        (2, "git reset --hard HEAD~{digit}", "Throw commits away"),
        (1, "git push --force origin main", "Force the main branch"),
        (1, "curl -fsSL https://get.example.com/{noun}.sh | sudo sh", "Install a tool"),
        (1, "rm -rf ~/", "Clean up"),
        (1, "assent log {noun}", "Look at the record"),
        (1, "for f in $(git ls-files '*.{ending}'); do sed -i 's/{noun}_{hex}/{verb}_{hex}/g' \"$f\"; done", "Rename"),
        (1, "psql -h db.internal -U {area} -c 'select count(*) from {noun}_{hex}'", "Look at the table"),
        (1, 'python3 - <<\'PY\'\nimport json\nprint(json.load(open("{file}"))["{noun}"])\nPY', "Read a value"),
    ),
    "python": (
        (56, "pytest -q tests/test_{area}.py", "Run the tests of one module"),
        (30, "pytest -q tests/test_{area}.py::test_{verb}_{noun}", "Run one test"),
        (26, "ruff check .", "Lint"),
        (20, "ruff check --fix {file}", "Lint and repair"),
        (18, "mypy src", "Check types"),
        (14, "make check", "Run all checks"),
        (6, "python -m {package}.{area}.{part} --{noun} {hex}", "Run a module"),
        (5, "pip install -e '.[dev]'", "Install for development"),
        (4, "alembic upgrade head", "Migrate the database"),
        (3, "alembic revision -m '{verb} {noun}'", "Write a migration"),
        (2, "pip install {noun}-{part}=={digit}.{n}.0", "Install a package"),
    ),
    "node": (
        (48, "npm run lint", "Lint"),
        (40, "npm test -- --run {area}", "Run some tests"),
        (24, "npx tsc --noEmit", "Check types"),
        (16, "npm run build -- --mode production", "Build"),
        (8, "npx vitest run src/{area}/{part}.test.ts -t '{verb} {noun}'", "Run one test"),
        (5, "npm install", "Install what the lock file says"),
        (3, "npm install --save-dev @{area}/{noun}-{part}", "Install a package"),
        (2, "npx prettier --write {file}", "Format"),
    ),
    "ops": (
        (30, "terraform plan -target=module.{area}", "Plan"),
        (24, "kubectl get pods -n {area}", "List pods"),
        (16, "kubectl logs deploy/{area}-{part} -n {area} --tail={n}", "Read logs"),
        (10, "terraform validate", "Check the files"),
        (8, "aws s3 ls s3://{area}-{noun}-{hex}", "List a bucket"),
        (4, "kubectl rollout restart deploy/{area}-{part} -n {area}", "Restart"),
        (2, "terraform apply -auto-approve -target=module.{area}", "Apply"),
        (2, "kubectl delete pod {area}-{part}-{hex} -n {area}", "Delete a pod"),
        (1, "terraform destroy -target=module.{area}", "Destroy"),
        (1, "ssh deploy@{area}.prod.example.com sudo systemctl restart {part}", "Restart a service"),
    ),
}
_PROMPTS = (
    "Fix {issue}: {verb} {noun} fails when the {area} {part} is empty.",
    "Why does test_{verb}_{noun} fail one time in {digit}? Find out and fix it.",
    "Add a {noun} to the {area} {part}, with tests.",
    "go on",
    "yes, do that",
    "Rename {verb}_{noun} to {verb}_{area}_{noun} everywhere.",
    "The {area} page is slow since we {verb} the {noun}. Profile it and say what you find before you change anything.",
    "Review the last {digit} commits and list what could break in {area}.",
    "Write the release notes for {minor}. Mention the {noun} and {issue}.",
    "Bitte prüfe, ob das {noun}-Feld im {area}-Formular für Umlaute wie ä, ö, ü taugt.",
    "run the tests again",
    "Update the docs of the {area} {part}, then open a pull request.",
)
_CLOSINGS = (
    "Done. The {area} {part} now checks the {noun} first; {n} tests pass.",
    "I found it: {verb}_{noun} compared an aware time with a naive one. Fixed in {file}.",
    "The {noun} is in place. Two questions about {area} are left open in the pull request.",
    "All checks pass. I did not touch the {part} of {area}.",
)
_ERRORS = (
    "Exit code 1\nFAILED tests/test_{area}.py::test_{verb}_{noun} - assert {n} == {m}\n1 failed, {n} passed",
    'Exit code 2\n{file}:{n}: error: Argument 1 to "{verb}_{noun}" has incompatible type',
    "Exit code 127\nbash: {noun}: command not found",
    "File does not exist. Note: your current working directory is {root}.",
    "String to replace not found in file.",
)
_PAGES = ["docs.python.org/3/library/{part}.html", "developer.mozilla.org/docs/{noun}", "stackoverflow.com/q/{m}"]
AGENT_TYPES = ("Explore", "general-purpose", "Plan", "reviewer")

_TOOLS = {
    "Bash": 36,
    "Read": 24,
    "Edit": 16,
    "Grep": 8,
    "Write": 4,
    "Glob": 4,
    "TodoWrite": 3,
    "WebFetch": 2,
    "mcp__github__get_issue": 1,
    "mcp__linear__create_comment": 1,
    "AskUserQuestion": 1,
}


class Words:
    """Fills the forms above; the same seed fills them the same way."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._tools = list(_TOOLS)
        self._tool_weights = _running(_TOOLS.values())
        self._commands = {
            kind: (commands := _COMMANDS["any"] + _COMMANDS[kind], _running(weight for weight, _, _ in commands))
            for kind in _ENDINGS
        }
        self._project_weights = _running(project.share for project in PROJECTS)

    def project(self) -> Project:
        return self._rng.choices(PROJECTS, cum_weights=self._project_weights)[0]

    def tool(self) -> str:
        return self._rng.choices(self._tools, cum_weights=self._tool_weights)[0]

    def agent_type(self) -> str:
        return self._rng.choice(AGENT_TYPES)

    def prompt(self, project: Project) -> str:
        return self._filled(self._rng.choice(_PROMPTS), project)

    def closing(self, project: Project) -> str:
        return self._filled(self._rng.choice(_CLOSINGS), project)

    def error(self, project: Project) -> str:
        return self._filled(self._rng.choice(_ERRORS), project)

    def input(self, tool: str, project: Project) -> dict[str, Any]:
        """What the agent gives the tool, as it stands in a record: contents are sizes and fingerprints."""
        match tool:
            case "Bash":
                commands, weights = self._commands[project.kind]
                _, command, description = self._rng.choices(commands, cum_weights=weights)[0]
                return {"command": self._filled(command, project), "description": description}
            case "Read":
                return {"file_path": self._file_to_read(project)}
            case "Edit":
                file = f"{project.folder}/{self._file(project)}"
                return {"file_path": file, "old_string": self.withheld(200), "new_string": self.withheld(260)}
            case "Write":
                return {"file_path": f"{project.folder}/{self._file(project)}", "content": self.withheld(3000)}
            case "Grep":
                pattern = self._filled("{verb}_{noun}", project)
                return {"pattern": pattern, "path": project.folder, "output_mode": "content"}
            case "Glob":
                return {"pattern": self._filled("**/*{noun}*.{ending}", project)}
            case "WebFetch":
                url = f"https://{self._filled(self._rng.choice(_PAGES), project)}"
                return {"url": url, "prompt": self._filled("What does it say about {verb} and {noun}?", project)}
            case "Agent":
                prompt = self._filled("List every place in {folder}/ that may {verb} a {noun}.", project)
                description = self._filled("Look at {area} {noun}", project)
                kind = self.agent_type()
                return {"description": description, "prompt": prompt, "subagent_type": kind, "run_in_background": False}
            case "AskUserQuestion":
                question = self._filled("Should {verb}_{noun} also cover {area}?", project)
                options = [{"label": label, "description": "As asked"} for label in ("Yes", "No")]
                return {"questions": [{"question": question, "header": "Scope", "options": options}]}
            case "TodoWrite":
                item = {"content": self.withheld(40), "status": "pending", "activeForm": "Working"}
                return {"todos": [item]}
            case _:
                return {
                    "id": self._filled("{issue}", project),
                    "body": self._filled("{Verb} {noun} in {area}", project),
                }

    def withheld(self, typical: int) -> dict[str, Any]:
        """What stands in place of contents."""
        return {"size": int(self._rng.lognormvariate(0, 0.8) * typical) + 1, "fingerprint": self.hex(16)}

    def hex(self, digits: int) -> str:
        return f"{self._rng.getrandbits(4 * digits):0{digits}x}"

    def _file_to_read(self, project: Project) -> str:
        chance = self._rng.random()
        if chance < 0.004:
            return f"{project.folder}/.env"
        if chance < 0.02:
            return f"/usr/lib/python3/dist-packages/{self._rng.choice(_PARTS)}.py"
        return f"{project.folder}/{self._file(project)}"

    def _file(self, project: Project) -> str:
        rng = self._rng
        if rng.random() < 0.002:
            return ".git/hooks/pre-commit"
        area, part = _often(rng, _AREAS), rng.choice(_PARTS)
        if rng.random() < 0.3:
            return f"tests/test_{area}_{rng.choice(_NOUNS)}.{_ENDINGS[project.kind]}"
        return f"src/{area}/{part}.{_ENDINGS[project.kind]}"

    def _filled(self, form: str, project: Project) -> str:
        if "{" not in form:
            return form
        rng = self._rng
        verb, noun, area = rng.choice(_VERBS), rng.choice(_NOUNS), _often(rng, _AREAS)
        issue = int(rng.paretovariate(0.9)) % 4000 + 1
        filled = {
            "verb": verb,
            "Verb": verb.capitalize(),
            "noun": noun,
            "Noun": noun.capitalize(),
            "area": area,
            "part": rng.choice(_PARTS),
            "ending": _ENDINGS[project.kind],
            "package": project.name.replace("-", "_"),
            "root": project.folder,
            "n": rng.randrange(2, 60),
            "m": rng.randrange(60, 4000),
            "digit": rng.randrange(1, 6),
            "port": rng.choice((3000, 8000, 8080, 5173)),
            "minor": f"{rng.randrange(1, 4)}.{rng.randrange(20)}",
            "issue_number": issue,
            "issue": f"SHOP-{issue}",
            "hex": self.hex(8) if "{hex}" in form else "",
            "file": self._file(project) if "{file}" in form else "",
            "folder": f"src/{area}",
        }
        if "{branch}" in form:
            form = form.replace("{branch}", _often(rng, _BRANCHES))
        for name, value in filled.items():
            mark = f"{{{name}}}"
            if mark in form:
                form = form.replace(mark, str(value))
        return form


def _often(rng: random.Random, items: list[str]) -> str:
    """The first ones much more often than the last ones."""
    return items[int(rng.random() ** 2 * len(items))]


def _running(weights: Iterable[int]) -> list[int]:
    return list(accumulate(weights))
