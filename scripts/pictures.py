"""Make the pictures of README and docs from the real program: a hub of its own, the demo, a real browser.

Run by `make pictures`; writes docs/pictures/*.png. Needs Chromium (named by CHROMIUM, else found on PATH).
"""

import html
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from playwright.sync_api import sync_playwright

from assent import paths as locations
from assent.cli import try_
from assent.learn.trial import Trials
from assent.protocol.trial import Question
from scripts.chromium import MISSING, find, flags

ROOT = Path(__file__).parent.parent
OUT = ROOT / "docs" / "pictures"
SHOTS: dict[str, tuple[int, int, Literal["dark", "light"]]] = {
    "page": (1280, 800, "dark"),
    "page-light": (1280, 800, "light"),
    "page-phone": (390, 844, "dark"),
}
TRIED = "cd api && npm ci; git stash && git push -f origin main"
# What the terminal's own colours come to in the picture: those of the page.
COLOURS = {"1": "font-weight:600", "2": "color:#86909c", "31": "color:#ff6b6b", "32": "color:#3cc79a"}
COLOURS |= {"33": "color:#f2b134", "36": "color:#56b4e9"}
TERMINAL = """<body style="margin:0;background:#0f1216"><pre id="t" style="display:inline-block;margin:0;
padding:20px 24px;background:#0f1216;color:#e8ecf1;font:14px/1.45 'DejaVu Sans Mono',monospace">%s</pre>"""


def main() -> None:
    chromium = find()
    if chromium is None:
        sys.exit(f"No pictures were made. {MISSING}")
    OUT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home:
        environ = {"HOME": home, "PATH": os.environ["PATH"]}
        config = Path(home) / ".config" / "assent"
        config.mkdir(parents=True)
        (config / "config.toml").write_text("version = 1\n[hub]\nport = 0\n")
        (config / "rules.toml").write_text(
            '[[rule]]\nmatch = "Bash(git push *)"\ndecision = "ask"\nreason = "Pushes are reviewed."\n'
        )

        def assent(*arguments: str) -> str:
            command = [sys.executable, "-m", "assent", *arguments]
            return subprocess.run(command, env=environ, check=True, capture_output=True, text=True).stdout

        assent("up", "--detach")
        try:
            assent("demo", "--speed", "0")
            running = subprocess.Popen([sys.executable, "-m", "assent", "demo", "--speed", "3"], env=environ, stdout=-3)
            take(chromium, lambda: str(re.findall(r"http://\S+", assent("status"))[0]))
            running.wait()
        finally:
            assent("down")
        photograph(chromium, "try", terminal(TRIED, Path(home)))


def take(chromium: str, link: Callable[[], str]) -> None:
    """Each picture shows the moment in which a running session was denied something."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=flags())
        for name, (width, height, scheme) in SHOTS.items():
            context = browser.new_context(
                viewport={"width": width, "height": height}, color_scheme=scheme, device_scale_factor=2
            )
            page = context.new_page()
            page.goto(link())
            page.wait_for_selector(".session.working")
            page.locator("#feed .row:nth-child(-n+6) .verdict.deny").first.wait_for()
            page.screenshot(path=OUT / f"{name}.png")
            context.close()
            print(f"docs/pictures/{name}.png")
        browser.close()


def terminal(command: str, home: Path) -> str:
    """What `assent try` prints, in the colours of a terminal."""
    trials = Trials(locations.find({"ASSENT_HOME": str(home)}))
    lines = [f"$ \x1b[1massent try '{command}'\x1b[0m", *try_.page(trials.hold(Question(command, "/src/webshop")), 90)]
    parts = re.split(r"\x1b\[([0-9;]*)m", "\n".join(lines))
    shown = [html.escape(parts[0])]
    for code, text in zip(parts[1::2], parts[2::2], strict=True):
        styled = ";".join(COLOURS[each] for each in code.split(";") if each in COLOURS)
        shown.append(f'<span style="{styled}">{html.escape(text)}</span>')
    return TERMINAL % "".join(shown)


def photograph(chromium: str, name: str, page_text: str) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=flags())
        page = browser.new_page(viewport={"width": 1000, "height": 800}, device_scale_factor=2)
        page.set_content(page_text)
        page.locator("#t").screenshot(path=OUT / f"{name}.png")
        browser.close()
    print(f"docs/pictures/{name}.png")


if __name__ == "__main__":
    main()
