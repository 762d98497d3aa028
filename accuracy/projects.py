"""Projects the lines are judged in: one small repository for each kind, with the files that lines of it name."""

import json
import os
import subprocess
import venv
from collections.abc import Iterable
from pathlib import Path

# Folders and files git is told to leave out.
_IGNORED = ".venv/\nnode_modules/\ndist/\ncoverage/\ntarget/\nbin/\nvar/\n__pycache__/\n.env\n.env.local\n"


def _scripts(**scripts: str) -> str:
    return json.dumps({"name": "storefront", "version": "1.4.0", "scripts": scripts}, indent=2)


_NODE = {
    "package.json": _scripts(
        build="vite build",
        dev="vite",
        test="vitest run",
        lint="eslint src",
        typecheck="tsc --noEmit",
        format="prettier --write src",
    ),
    "package-lock.json": '{"lockfileVersion": 3, "packages": {}}\n',
    "pnpm-lock.yaml": "lockfileVersion: '9.0'\n",
    "tsconfig.json": '{"compilerOptions": {"strict": true}}\n',
    "vite.config.ts": "export default {};\n",
    ".eslintrc.cjs": "module.exports = {};\n",
    ".env.example": "STRIPE_KEY=\n",
    ".env.local": "STRIPE_KEY=sk_test_0\n",
    "src/lib/cart.ts": "export const total = (lines: {pence: number}[]) => lines.length.toFixed(2);\n",
    "src/lib/cart.cjs": "exports.total = (lines) => lines.length;\n",
    "src/lib/cart.test.ts": "import { total } from './cart';\n",
    "src/lib/api.ts": "export const get = (path: string) => fetch(path);\n",
    "src/components/CartDrawer.tsx": "export const CartDrawer = () => null;\n",
    "src/components/legacy/Old.tsx": "export const Old = () => null;\n",
    "src/pages/index.tsx": "export default () => null;\n",
    "src/pages/old/index.tsx": "export default () => null;\n",
    "e2e/checkout.spec.ts": "import { test } from '@playwright/test';\n",
    "dist/index.html": "<!doctype html>\n",
    "coverage/index.html": "<!doctype html>\n",
    "node_modules/vitest/package.json": '{"name": "vitest", "version": "2.1.0"}\n',
    "node_modules/zod/package.json": '{"name": "zod", "version": "3.23.0"}\n',
    **{f"node_modules/.bin/{name}": "#!/usr/bin/env node\n" for name in ("tsc", "eslint", "vitest", "prettier")},
    **{f"node_modules/.bin/{name}": "#!/usr/bin/env node\n" for name in ("vite", "playwright")},
}
_PYTHON = {
    "pyproject.toml": '[project]\nname = "ledger"\nversion = "0.9.0"\ndependencies = ["fastapi", "sqlalchemy"]\n',
    "uv.lock": "version = 1\n",
    "Makefile": "lint:\n\truff check .\ntest:\n\tpytest -q\n",
    "alembic.ini": "[alembic]\nscript_location = migrations\n",
    "docker-compose.yml": "services:\n  db:\n    image: postgres:16\n",
    ".env": "DATABASE_URL=postgresql://ledger:dev@localhost/ledger\n",
    ".env.example": "DATABASE_URL=\n",
    ".github/workflows/ci.yml": "on: push\n",
    "docs/rounding.md": "# Rounding\n",
    "migrations/versions/0001_start.py": "revision = '0001'\n",
    "migrations/versions/0002_refunds.py": "revision = '0002'\n",
    "scripts/seed.py": "print('seed')\n",
    "scripts/worker.py": "print('work')\n",
    "src/ledger/__init__.py": "",
    "src/ledger/app.py": "from fastapi import FastAPI\napp = FastAPI()\n",
    "src/ledger/config.py": "class Settings:\n    pass\n",
    "src/ledger/db.py": "async def session():\n    yield\n",
    "src/ledger/models.py": "class Invoice:\n    pass\n",
    "src/ledger/api/__init__.py": "",
    "src/ledger/api/routes.py": "def routes():\n    return []\n",
    "src/ledger/services/__init__.py": "",
    "src/ledger/services/invoices.py": "def round_amount(total):\n    return total.quantize(CENT)\n",
    "tests/conftest.py": "",
    "tests/test_api.py": "def test_refund_is_idempotent():\n    pass\n",
    "tests/test_invoices.py": "def test_total():\n    pass\n",
    "tests/test_models.py": "def test_tax():\n    pass\n",
    "var/dev.db": "",
    **{f".venv/bin/{name}": "#!/usr/bin/python3\n" for name in ("pip", "pytest", "ruff", "mypy")},
}
_RUST = {
    "Cargo.toml": '[workspace]\nmembers = ["crates/quill-core"]\n[package]\nname = "quill"\nversion = "0.3.0"\n',
    "Cargo.lock": "version = 4\n",
    "src/main.rs": "fn main() {}\n",
    "crates/quill-core/Cargo.toml": '[package]\nname = "quill-core"\nversion = "0.3.0"\n',
    "crates/quill-core/src/lib.rs": "pub mod lexer;\npub mod parser;\n",
    "crates/quill-core/src/lexer.rs": "pub fn lex(text: &str) -> std::str::Chars<'_> {\n    text.chars()\n}\n",
    "crates/quill-core/src/parser.rs": "fn peek(&self) -> Option<char>\n",
    "tests/fixtures/simple.quill": '"a"\n',
    "tests/fixtures/big.quill": '"b"\n',
    "target/debug/quill": "\x7fELF",
}
_GO = {
    "go.mod": "module example.com/relay\n\ngo 1.22\n",
    "go.sum": "",
    "Makefile": "build:\n\tgo build -o bin/relay ./cmd/relay\ntest:\n\tgo test ./...\n",
    "Dockerfile": "FROM golang:1.22\n",
    "cmd/relay/main.go": "package main\n\nfunc main() {}\n",
    "configs/dev.yaml": "lease: 10s\n",
    "deploy/k8s/deployment.yaml": "kind: Deployment\n",
    "internal/httpapi/server.go": "package httpapi\n",
    "internal/httpapi/routes.go": "package httpapi\n",
    "internal/queue/queue.go": "package queue\n",
    "internal/store/store.go": "package store\n",
    "scripts/smoke.sh": "#!/bin/sh\n",
    "bin/relay": "\x7fELF",
}
_MIXED = {
    "Makefile": "check:\n\t$(MAKE) -C backend lint\n",
    "docker-compose.yml": "services:\n  backend:\n    build: backend\n  db:\n    image: postgis/postgis\n",
    ".pre-commit-config.yaml": "repos: []\n",
    ".github/workflows/deploy.yml": "on: push\n",
    "docs/adr/0006-maps.md": "# 6. Maps\n",
    "infra/main.tf": 'module "tiles" {}\n',
    "scripts/check.sh": "#!/bin/sh\nmake check\n",
    "backend/pyproject.toml": '[tool.poetry]\nname = "atlas"\nversion = "2.0.1"\n',
    "backend/poetry.lock": "",
    "backend/Dockerfile": "FROM python:3.12\n",
    "backend/Makefile": "lint:\n\truff check .\n",
    "backend/manage.py": "import sys\n",
    "backend/app/cli.py": "print('import')\n",
    "backend/app/models.py": "class Tile:\n    pass\n",
    "backend/app/urls.py": "urlpatterns = []\n",
    "backend/app/settings/test.py": "DATABASE_URL = ''\n",
    "backend/app/views/tiles.py": "from app.util import tile\n",
    "backend/fixtures/tiles.geojson": '{"features": []}\n',
    "backend/fixtures/local.toml": "size = 256\n",
    "backend/tests/test_tiles.py": "",
    "backend/.venv/bin/pytest": "#!/usr/bin/python3\n",
    "frontend/package.json": _scripts(build="vite build", test="vitest", lint="eslint src"),
    "frontend/yarn.lock": "# yarn lockfile v1\n",
    "frontend/Makefile": "lint:\n\tyarn lint\n",
    "frontend/src/locales/en.json": '{"map": {}}\n',
    "frontend/src/locales/de.json": '{"map": {}}\n',
    "frontend/src/map/Legend.tsx": "export const Legend = () => null;\n",
    "frontend/src/map/OldLegend.tsx": "export const OldLegend = () => null;\n",
    **{f"frontend/node_modules/.bin/{name}": "#!/usr/bin/env node\n" for name in ("tsc", "vitest", "eslint", "vite")},
}
# By kind: the project's name, its files, and one that was edited since the last commit.
KINDS: dict[str, tuple[str, dict[str, str], str]] = {
    "python": ("ledger", _PYTHON, "src/ledger/models.py"),
    "node": ("storefront", _NODE, "src/lib/cart.ts"),
    "rust": ("quill", _RUST, "crates/quill-core/src/lexer.rs"),
    "go": ("relay", _GO, "internal/queue/queue.go"),
    "mixed": ("atlas", _MIXED, "backend/app/views/tiles.py"),
}
# Beside the projects.
_HOME = {
    ".nvm/nvm.sh": "nvm() { :; }\n",
    ".bashrc": "",
    "bin/.keep": "",
    "notes/todo.md": "",
    "code/atlas-docs/docs/api.md": "GET /v1/tiles\n",
}


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        if "/bin/" in f"/{name}" or "/.bin/" in name or name.startswith("target/"):
            path.chmod(0o755)


def make(home: Path, kinds: Iterable[str] = KINDS) -> dict[str, Path]:
    """The projects under this home, by kind: each a repository with a commit, a remote and one edited file."""
    write(home, _HOME)
    made = {}
    for kind in kinds:
        name, files, edited = KINDS[kind]
        made[kind] = folder = home / "code" / name
        write(folder, {".gitignore": _IGNORED, "README.md": f"# {name}\n", **files})
        for environment in folder.glob("**/.venv"):
            venv.EnvBuilder(symlinks=True).create(environment)
        _commit(folder, home)
        with (folder / edited).open("a") as file:
            file.write("\n# edited\n")
        (folder / "NOTES.md").write_text("not committed\n")
    return made


def _commit(folder: Path, home: Path) -> None:
    alone = {"HOME": str(home), "PATH": os.environ.get("PATH", os.defpath), "GIT_CONFIG_NOSYSTEM": "1"}
    said = ["-c", "user.name=Dev", "-c", "user.email=dev@example.com", "-c", "index.version=2"]
    for words in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-q", "--no-verify", "-m", "start"]):
        subprocess.run(["git", *said, *words], cwd=folder, env=alone, check=True, capture_output=True)
    with (folder / ".git" / "config").open("a") as file:
        file.write(f'[remote "origin"]\n\turl = git@github.com:example/{folder.name}.git\n')
