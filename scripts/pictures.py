"""Make the pictures of README and docs from the real program: a hub of its own, the demo, a real browser.

Run by `make pictures`; writes docs/pictures/*.png. Needs Chromium (named by CHROMIUM, else found on PATH).
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parent.parent
OUT = ROOT / "docs" / "pictures"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-sync"]
SHOTS: dict[str, tuple[int, int, Literal["dark", "light"]]] = {
    "page": (1280, 800, "dark"),
    "page-light": (1280, 800, "light"),
    "page-phone": (390, 844, "dark"),
}


def main() -> None:
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        sys.exit("No Chromium was found, so no pictures were made. hint: install it, or set CHROMIUM=/path/to/it")
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


def take(chromium: str, link: Callable[[], str]) -> None:
    """Each picture shows the moment in which a running session was denied something."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
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


main()
