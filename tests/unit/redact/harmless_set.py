"""Two thousand lines without a secret: commands of the corpus, and generated lines that look a little like one."""

import json
import random
from collections.abc import Iterator
from pathlib import Path

from tests.unit.redact.secret_set import drawn

ROOT = Path(__file__).parents[3]
MANY = 2_000

# Digests, ids and placeholders, in the places where they stand.
TEMPLATES = (
    "git show {40h}",
    "git cherry-pick {7h}9",
    "git diff {40h}..{40h} -- src/auth/token.py",
    "Merge commit '{40h}' into main",
    "commit {40h} broke the key handling",
    "docker pull nginx@sha256:{64h}",
    "docker run acme/worker:{12h}",
    "sha256:{64h} is the digest of the layer",
    '"integrity": "sha512-{86b}=="',
    "pip install requests --hash=sha256:{64h}",
    "echo {32h}  file.tar.gz | md5sum -c",
    "session {uuid} ended",
    "claude --resume {uuid}",
    "request id {uuid} failed with 500",
    "trace_id={32h} span_id={16h}",
    "aws ec2 terminate-instances --instance-ids i-{17h}",
    "subnet-{17h} in vpc-{17h}",
    "arn:aws:iam::{12d}:role/deploy",
    "arn:aws:secretsmanager:eu-west-1:{12d}:secret:shop-db-x2Y3z4",
    "s3://acme-artifacts/{40h}/build.zip",
    "src/assets/index-{8a}.js",
    "dist/chunk.{20h}.css",
    ".css-{6l}{{color:red}}",
    'class="sc-{6a} kTokenList__item--active"',
    "data:image/png;base64,iVBORw0KGgo{120b}",
    "background: url(data:font/woff2;base64,d09GMgAB{80b})",
    "https://cdn.example.com/fonts/v{2d}/{20a}.woff2",
    "https://www.youtube.com/watch?v={11w}",
    "https://docs.example.com/guide?page={2d}&version={4h}#token-format",
    "https://github.com/acme/shop/commit/{40h}",
    "https://github.com/acme/shop/blob/{40h}/src/key.py#L{2d}",
    'etag: W/"{27b}"',
    "toolu_01{22a}",
    "msg_01{22a}",
    "chatcmpl-{29a}",
    "pod/api-{9l}-{5l} restarted {2d} times",
    "kubectl logs worker-{10l}-{5l}",
    "export TOKEN=$(op read op://dev/{8l}/token)",
    "API_KEY=$API_KEY_{4d} npm start",
    'curl -H "Authorization: Bearer $TOKEN_{2d}" https://api.example.com',
    "curl -H 'Authorization: Bearer <token-{2d}>' https://api.example.com",
    "password: <your password {2d}>",
    "PASSWORD=xxxxxxxx make n{3d}",
    "api_key=YOUR_API_KEY_{2d}",
    "TOKEN=REPLACE_ME_{2d}",
    "token: ${{{{ secrets.TOKEN_{2d} }}}}",
    "password = os.environ['DB_PASSWORD_{2d}']",
    "const apiKey = process.env.API_KEY_{2d};",
    "def refresh_token(self, token: str, n: int = {3d}) -> None:",
    "the token expires after {3d} seconds",
    "max_tokens: {4d}",
    "used {5d} tokens, {2d} left",
    "key: item-{3d}",
    "primary key {4d} violates the constraint",
    "keys {2d} to {2d} of the map",
    "press any key to go on ({2d})",
    "the secret to a good test is {1d} fact each",
    "password must have at least {2d} characters",
    "pass {2d} of {2d}",
    "tests/test_auth_{3d}.py::test_token_is_refused PASSED",
    "src/auth/password_reset_{2d}.ts",
    "mkdir -p build/keys_{3d}",
    "ssh -p {4d} bob@host{2d}.example.com",
    "docker run -p {4d}:80 nginx:1.{2d}",
    "psql -p {4d} -U app shop",
    "redis-cli -p {4d} ping",
    "curl -u bob https://api{2d}.example.com",
    "mysql -u root -p shop{2d}",
    "bob{2d}@example.com wrote: see the ticket",
    "mail to: ann{2d}@example.com",
    "cc:ann{2d}@example.com",
    "npm install left-pad@1.{2d}.{2d}",
    "npm:foo@{1d}.{1d}.{1d}",
    "uses: actions/checkout@{40h}",
    "postgres://localhost:{4d}/shop",
    "http://127.0.0.1:{4d}/auth/login",
    "https://example.com:{4d}/a@b/{8h}",
    "git@github.com:acme/shop{2d}.git",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{43b} bob@host",
    "ssh-rsa AAAAB3NzaC1yc2E{200b} bob@host",
    "-----BEGIN CERTIFICATE-----\n{64b}\n{64b}\n-----END CERTIFICATE-----",
    "-----BEGIN PUBLIC KEY-----\n{64b}\n-----END PUBLIC KEY-----",
    "SHA256:{43b} bob@host (ED25519)",
    "pk_live_{24a}",
    "G-{10U}",
    "UA-{8d}-1",
    "GTM-{7U}",
    "{8U}-{4U}-{4U}",
    "order SKU{6d} shipped",
    "error 0x{8h} at 0x{16h}",
    "mac {2h}:{2h}:{2h}:{2h}:{2h}:{2h}",
    "ip 2001:db8:{4h}::{4h}",
    "20{2d}-01-0{1d}T10:{2d}:00.{6d}Z",
    "node_modules/.pnpm/react-dom@18.2.0_react@18.2.0_{26c}/node_modules",
    "/nix/store/{32z}-hello-2.{2d}",
    "~/.cargo/registry/src/index.crates.io-{16h}/serde-1.0.{3d}",
    "/Users/bob/Library/Caches/{32h}/data",
    "/tmp/tmp{8l}/out.json",
    "go: downloading golang.org/x/net v0.0.0-20220722155237-{12h}",
    "h1:{43b}=",
    "terraform import aws_instance.web i-{17h}",
    "snapshot snap-{17h} of vol-{17h}",
    "prj_{24a} in team_{24a}",
    "cus_{14a} bought price_{24a}",
    "the build took {3d} ms and {2d} tests were skipped",
    "Fix the authorization header of request {3d}",
    "rename access_key to access_name in {2d} files",
    "what does the auth module do in line {3d}?",
    "basic {3d} bearer bonds",
    "cookie banner n{3d} is shown twice",
    "a cookie=1 setting for page {2d}",
    "sk-learn and sk-image {1d}.{1d}",
    "re_match_{3d} re_compile_{3d}",
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA{2d}",
    "test_{32l}",
    "live_view_component_{3d}",
    "00{6d}",
    "sdk-tools-linux-{7d}",
    "api-gateway-v{2d}",
    "key-value store n{2d}",
    "pat-trimming in module {2d}",
)


def harmless() -> Iterator[str]:
    """Exactly two thousand lines."""
    fixture = (ROOT / "tests" / "fixtures" / "redaction" / "harmless.jsonl").read_text(encoding="utf-8")
    lines = [json.loads(line)["text"] for line in fixture.splitlines()]
    lines += [
        json.loads(line)["command"]
        for line in (ROOT / "accuracy" / "corpus" / "benign.jsonl").read_text(encoding="utf-8").splitlines()
    ][:800]
    dice = random.Random(4)
    at = 0
    while len(lines) < MANY:
        lines.append(drawn(TEMPLATES[at % len(TEMPLATES)].replace("{{", "{").replace("}}", "}"), dice))
        at += 1
    yield from lines
