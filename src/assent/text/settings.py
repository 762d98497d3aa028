"""Settings that people change while they work, in the words of every screen that lets them.

The page reads a copy in JavaScript, which `make docs` writes."""

# By its dotted name: what it is about, and what each of its values means.
PICKED: dict[str, tuple[str, dict[str, str]]] = {
    "stance": (
        "Stance, where no rule speaks",
        {
            "watch": "watch: it only records",
            "balanced": "balanced: Look passes, Danger is always asked",
            "strict": "strict: Look passes, Care is asked, Danger denied",
        },
    ),
    "asks.on_expiry": ("When no answer comes", {"hand_back": "leave it for the terminal", "deny": "deny it"}),
    "asks.hold_stops": (
        "Hold a finished turn for you",
        {"never": "never", "away": "while you are away", "always": "always"},
    ),
    "asks.unattended": (
        "Runs without a terminal wait for you",
        {"never": "never", "reachable": "if you can be reached", "always": "always"},
    ),
    "presence.finished": (
        "Tell me of turns that ended",
        {"never": "never", "away": "while you are away", "always": "also when you seem to be gone"},
    ),
    "presence.wake_for": ("In quiet hours still tell me of", {"nothing": "nothing", "danger": "Danger"}),
}
# Lengths of time, typed as `10m` or `1h30m`.
TYPED = {
    "asks.wait": "How long an ask waits",
    "asks.subagent_hold": "How long a sub-agent's ask waits while you are at the desk",
    "journal.keep": "How long records are kept",
}
QUIET = ("presence.quiet", "Quiet hours every day")
# From one moment to the same is never.
NEVER_QUIET = "00:00-00:00"
