"""What macOS tells, read from the form in which it does. The calls themselves need such a machine."""

import struct

from assent.hub import processes_mac


def test_own_process_is_read() -> None:
    """Parent, session, terminal, birth and name."""
    numbers = (2, 2, 0, 77, 7, 501, 20, 501, 20, 501, 20, 0)
    info = struct.pack("=12I16s32s5Ii2Q", *numbers, b"zsh", b"zsh", 9, 77, 1, 5, 77, 0, 1_700_000_000, 25)
    assert processes_mac.read_own(info, 76) == (7, 76, True, 1_700_000_000_000_025, "zsh")


def test_process_of_another_user_is_read() -> None:
    """All but its birth is told of those, too."""
    info = struct.pack("=4I16s8I", 77, 1, 77, 2, b"login", 0, 0, 0, 0, 0, 0, 0, 0)
    assert processes_mac.read_any(info, 77) == (1, 77, False, 0, "login")


def test_environment_stands_behind_the_arguments() -> None:
    """Their number comes first, then the program and as many zeros as it takes."""
    told = struct.pack("=I", 2) + b"/bin/sh\0\0\0\0sh\0-c\0CLAUDECODE=1\0HOME=/h\0"
    assert processes_mac.entries(told) == [b"CLAUDECODE=1", b"HOME=/h", b""]
