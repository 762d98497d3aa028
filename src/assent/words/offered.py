"""What people are offered to say: where a permission holds, which text of an input is edited, and what an agent is to
do next."""

from assent.protocol.card import GrantScope

SCOPES: dict[GrantScope, str] = {"session": "this session", "project": "this project", "user": "all my projects"}
# A name, and what the agent is told.
NEXT = (("Keep going", "Keep going."), ("Run the tests", "Run the tests."), ("Commit", "Commit what is done."))
# Where one text is the whole point, that text is edited; everything else as JSON.
TEXTS = {
    "Bash": "command",
    "PowerShell": "command",
    "Monitor": "command",
    "WebFetch": "url",
    "WebSearch": "query",
    "Read": "file_path",
}
