"""What a relay looks at in a message before it carries it: names, sizes, and who it says it is from."""

import re

from assent.webapi.endpoint import ProblemError

NAME = re.compile(r"[!-~]{1,100}")


def check(is_fine: bool, trouble: str) -> None:
    if not is_fine:
        raise ProblemError(400, "bad-message", f"The message was not carried: {trouble}.")


def check_name(name: str) -> None:
    check(NAME.fullmatch(name) is not None, "an id is not well formed")


def check_size(text: str, largest: int) -> None:
    if len(text.encode("utf-8", "surrogatepass")) > largest:
        raise ProblemError(413, "too-large", f"The text is larger than {largest >> 10} KiB.")
