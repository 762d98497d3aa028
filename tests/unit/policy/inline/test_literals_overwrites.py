"""Programs that write over every file they find."""

import pytest

from assent.policy.inline.literals import overwrites_many


@pytest.mark.parametrize(
    "program",
    [
        "import glob\n[open(f, 'w') for f in glob.glob('src/*.py')]",
        "from pathlib import Path\nfor p in Path('.').rglob('*.py'): p.write_text('')",
        "import os\nfor name in os.listdir('.'): os.truncate(name, 0)",
        "import os\nfor d, _, fs in os.walk('.'):\n  for f in fs:\n    open(os.path.join(d, f), mode='w').close()",
        "const fs = require('fs'); fs.readdirSync('src').forEach(f => fs.writeFileSync('src/' + f, ''))",
        "for (const f of fs.readdirSync('.')) fs.truncateSync(f)",
        'Dir.glob("**/*.rb").each { |f| File.write(f, "") }',
        'Dir["*.rb"].each { |f| File.open(f, "w") {} }',
        "for my $f (glob '*.pl') { open(my $h, '>', $f) }",
        "foreach (glob('*.php') as $f) file_put_contents($f, '');",
    ],
)
def test_writing_over_names_that_are_found_is_seen(program: str) -> None:
    """In every language that has loops."""
    assert overwrites_many(program)


@pytest.mark.parametrize(
    "program",
    [
        "import glob\nopen('list.txt', 'w').write('\\n'.join(glob.glob('*.py')))",
        "for p in Path('src').rglob('*.py'):\n  p.write_text(p.read_text().replace('a', 'b'))",
        "import glob\nfor f in glob.glob('*.md'):\n  open(f + '.html', 'w').write(made(f))",
        "fs.readdirSync('.').forEach(f => { const s = fs.readFileSync(f); fs.writeFileSync(f, s + 'x') })",
        "for name in ('a', 'b'): open(name, 'w').write('x')",
        "import os\nprint(os.listdir('.'))",
        "fs.writeFileSync('names.json', JSON.stringify(fs.readdirSync('.')))",
    ],
)
def test_edits_lists_and_new_files_are_not(program: str) -> None:
    """What was read before is written back; what is new replaces nothing."""
    assert not overwrites_many(program)
