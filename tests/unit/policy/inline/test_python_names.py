"""Python programs that go through files of a pattern or of a list."""

import pytest

from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk


def _line(*program: str) -> str:
    return "python3 - <<'EOF'\n" + "\n".join(program) + "\nEOF"


@pytest.mark.parametrize(
    "program",
    [
        ("import pathlib", "for p in sorted(pathlib.Path('src').rglob('*.py')):", "    print(len(p.read_text()))"),
        ("import glob", "for f in glob.glob('src/**/*.ts', recursive=True):", "    print(open(f).read())"),
        ("import json", "for f in ['a.json', 'b.json']:", "    print(json.load(open(f)))"),
        ("from pathlib import Path", "print(sum(len(p.read_text()) for p in Path('.').glob('*.md')))"),
    ],
)
def test_reading_files_of_a_pattern_or_a_list_is_look(program: tuple[str, ...]) -> None:
    """They stay where the pattern looks."""
    assert risk(_line(*program)) == Risk.LOOK


@pytest.mark.parametrize(
    "program",
    [
        ("from pathlib import Path", "for p in Path('.').rglob('*'):", "    print(p.read_text())"),
        ("from pathlib import Path", "for p in Path('.').rglob('.env*'):", "    print(p.read_text())"),
        ("from pathlib import Path", "for p in Path('.').rglob('*.pem'):", "    print(p.read_text())"),
        ("from pathlib import Path", "for p in Path('/etc').rglob('*.conf'):", "    print(p.read_text())"),
        ("from pathlib import Path", "for p in Path('src').glob('../../*.txt'):", "    print(p.read_text())"),
        ("from pathlib import Path", "for p in Path('src').rglob('*.py'):", "    p.write_text('')"),
        ("from pathlib import Path", "for p in Path('src').rglob('*.py'):", "    p.unlink()"),
        ("import glob, os", "for f in glob.glob('*.py'):", "    os.system('cat ' + f)"),
        ("import glob", "for f in glob.glob('*.py', root_dir='/etc'):", "    print(open(f).read())"),
        ("for f in ['a.json', '.env']:", "    print(open(f).read())"),
        ("for f in ['a.json']:", "    f = input()", "    print(open(f).read())"),
        ("for f in ['a.json']: pass", "for f in x:", "    print(open(f).read())"),
    ],
)
def test_other_loops_over_files_are_not_look(program: tuple[str, ...]) -> None:
    """Everything, secrets, other folders, other uses, and names that are not known."""
    assert risk(_line(*program)) >= Risk.CARE
