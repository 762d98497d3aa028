"""Pictures of what commands print, in the colours of a terminal."""

import html
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Browser

from scripts.pictures.stage import Home

# What the terminal's own colours come to in the picture: those of the page.
COLOURS = {"1": "font-weight:600", "2": "color:#86909c", "31": "color:#ff6b6b", "32": "color:#3cc79a"}
COLOURS |= {"33": "color:#f2b134", "36": "color:#56b4e9"}
COLOURS |= {"30": "color:#000", "107": "display:inline-block;background:#fff"}
# As high as the letters: the squares of a QR code must touch.
TERMINAL = """<body style="margin:0;background:#0f1216"><pre id="t" style="display:inline-block;margin:0;
padding:20px 24px;background:#0f1216;color:#e8ecf1;font:14px/%s 'DejaVu Sans Mono',monospace">%s</pre>"""
LINE = "1.45"
TOUCHING = "1.17"


def output(hub: Home, *arguments: str, until: str = "") -> str:
    """What a command prints to a terminal; `until`: it is interrupted once it printed that."""
    master, slave = pty.openpty()
    command = [sys.executable, "-m", "assent", *arguments]
    environ = {**hub.environ, "TERM": "xterm-256color", "COLUMNS": "92"}
    run = subprocess.Popen(command, env=environ, stdin=slave, stdout=slave, stderr=slave, cwd=hub.home)
    os.close(slave)
    told = b""
    while not until or until.encode() not in told:
        try:
            part = os.read(master, 4096)
        except OSError:
            # Linux says so when the other end is closed.
            break
        if not part:
            break
        told += part
    run.terminate()
    run.wait()
    os.close(master)
    return told.decode().replace("\r\n", "\n").rstrip()


def photograph(browser: Browser, file: Path, command: str, text: str, *, line: str = LINE) -> None:
    parts = re.split(r"\x1b\[([0-9;]*)m", f"$ \x1b[1massent {command}\x1b[0m\n{text}")
    shown = [html.escape(parts[0])]
    styles: list[str] = []
    for code, words in zip(parts[1::2], parts[2::2], strict=True):
        styles = [] if code in ("", "0") else [*styles, *(COLOURS[each] for each in code.split(";") if each in COLOURS)]
        shown.append(f'<span style="{";".join(styles)}">{html.escape(words)}</span>')
    page = browser.new_page(viewport={"width": 1000, "height": 800}, device_scale_factor=1.5)
    page.set_content(TERMINAL % (line, "".join(shown)))
    page.locator("#t").screenshot(path=file)
    page.close()
