"""Which Chromium the page is tested and photographed with; run as a program it prints the path.

python -m scripts.chromium
"""

import os
import shutil
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome")
MISSING = "Chromium was not found; install it (Debian: chromium), or set CHROMIUM=/path/to/it."
# No way out of this machine, and nothing it does by itself in the background.
FLAGS = ["--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-sync"]
# The list of address bars would be loaded beside every page, which costs as much as the page itself.
ADDRESS_BAR = ("WebUIOmniboxPopup", "WebUIOmniboxAimPopup")
# Chromium goes by the last list of this kind that it is given; the one that Playwright gives has these.
PLAYWRIGHT = (
    "AimEnabled",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
)


def find() -> str | None:
    named = os.environ.get("CHROMIUM")
    return named or next((found for name in NAMES if (found := shutil.which(name))), None)


def flags() -> list[str]:
    # Its sandbox refuses to start as root.
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    return [*FLAGS, f"--disable-features={','.join(ADDRESS_BAR + PLAYWRIGHT)}", *sandbox]


if __name__ == "__main__":
    found = find()
    print(found or MISSING, file=sys.stdout if found else sys.stderr)
    sys.exit(0 if found else 1)
