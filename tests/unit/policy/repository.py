"""A project under git, made by git itself, for tests of what depends on what git has."""

import os
import subprocess
from pathlib import Path

FILES = {
    "src/app.py": "import json\n\n\ndef total(lines):\n    return sum(lines)\n",
    "tests/test_app.py": "from src.app import total\n\n\ndef test_total():\n    assert total([1]) == 1\n",
    "conftest.py": "",
    "Makefile": "test:\n\tpytest -q\n\ndeploy:\n\t./scripts/deploy.sh\n",
    "package.json": '{"scripts": {"build": "tsc -p .", "test": "jest", "deploy": "gh-pages -d dist",'
    ' "build:prod": "tsc", "lint": "eslint src"}}\n',
    "package-lock.json": "{}\n",
    "node_modules/.bin/jest": "#!/usr/bin/env node\n",
    "node_modules/.bin/acme-cli": "#!/usr/bin/env node\n",
    "scripts/test.sh": "pytest -q\n",
    "scripts/gen.py": "print(1)\n",
}


def git(folder: Path, *words: str) -> None:
    env = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder.parent),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "A",
        "GIT_AUTHOR_EMAIL": "a@example.com",
        "GIT_COMMITTER_NAME": "A",
        "GIT_COMMITTER_EMAIL": "a@example.com",
    }
    subprocess.run(["git", "-C", str(folder), *words], check=True, capture_output=True, env=env)


def make(folder: Path, files: dict[str, str] | None = None) -> Path:
    """The folder with these files committed on the branch ``feature``."""
    for name, text in (FILES if files is None else files).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    git(folder, "init", "-q", "-b", "feature")
    git(folder, "remote", "add", "origin", "https://git.example.com/shop.git")
    git(folder, "add", "-A", "-f")
    git(folder, "commit", "-q", "-m", "first")
    return folder
