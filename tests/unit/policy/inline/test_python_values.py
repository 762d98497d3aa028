"""The values a Python expression surely has."""

import ast

import pytest

from assent.policy.inline.python_values import Values


def value(text: str) -> object:
    tree = ast.parse(text, mode="eval")

    def dotted(node: ast.expr) -> str:
        return ast.unparse(node)

    return Values({"name": ast.Constant("rm")}, dotted, "/home/me").of(tree.body)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("'a' + 'b'", "ab"),
        ("name + ' -rf'", "rm -rf"),
        ("f'{name} x'", "rm x"),
        ("'%s -r' % name", "rm -r"),
        ("'{} -r'.format(name)", "rm -r"),
        ("''.join(['r', 'm'])", "rm"),
        ("''.join(reversed('mr'))", "rm"),
        ("'mr'[::-1]", "rm"),
        ("chr(114) + chr(109)", "rm"),
        ("base64.b64decode('cm0=').decode()", "rm"),
        ("bytes.fromhex('726d').decode()", "rm"),
        ("codecs.decode('ez', 'rot13')", "rm"),
        ("os.path.join(os.path.expanduser('~'), '.ssh')", "/home/me/.ssh"),
        ("os.environ['HOME'] + '/x'", "/home/me/x"),
        ("pathlib.Path.home() / '.ssh' / 'id_rsa'", "/home/me/.ssh/id_rsa"),
        ("'rm -rf /'.split()", ["rm", "-rf", "/"]),
        ("'xrm'[1:]", "rm"),
        ("'RM'.lower()", "rm"),
    ],
)
def test_value_of_constant_expression_is_worked_out(text: str, expected: object) -> None:
    """Text that is put together from what stands in the program is known."""
    assert value(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "input()",
        "other",
        "name + input()",
        "'x' * 10**9",
        "[1, x]",
        "base64.b64decode('a')",
        "'a'[9]",
        "1 / 0",
        "'%9999999d' % 1",
        "'{:9999999}'.format(1)",
    ],
)
def test_value_of_anything_else_is_not_known(text: str) -> None:
    """What is known only when it runs has no value, and nothing is raised."""
    assert value(text) is None
