"""Python programs that change where modules are found."""

import pytest

from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "program",
    [
        "import sys; sys.path = ['/tmp/x']; import json",
        "import sys; sys.path[:0] = ['/tmp/x']; import json",
        "import sys; sys.path[0] = '/tmp/x'; import json",
        "import sys; sys.path += ['/tmp/x']; import json",
        "import sys; sys.path.append('/tmp/x'); import helper",
        "import sys; sys.path.extend(['/tmp/x']); import helper",
        "from sys import path; path[:0] = ['/tmp/x']; import helper",
        "from sys import path; path += ['/tmp/x']; import helper",
        "import sys; p = sys.path; p[:0] = ['/tmp/x']; import helper",
        "import sys; list.insert(sys.path, 0, '/tmp/x'); import helper",
        "import sys; sys.modules['json'] = 1",
        "import sys; sys.meta_path.insert(0, x)",
        "import sys as s; s.path = ['/tmp/x']; import helper",
    ],
)
def test_changed_search_path_is_not_look(program: str) -> None:
    """Any file may then go by the name of a module."""
    assert risk(f'python3 -c "{program}"') >= Risk.CARE


@pytest.mark.parametrize(
    "program",
    [
        "import sys; print(sys.path)",
        "import sys; print('\\n'.join(sys.path))",
        "import sys; print(len(sys.path), sys.version)",
        "import sys; [print(p) for p in sys.path]",
    ],
)
def test_shown_search_path_is_look(program: str) -> None:
    """It only prints."""
    assert risk(f'python3 -c "{program}"') == Risk.LOOK
