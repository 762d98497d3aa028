"""Files, folders and text: the small tools every system has."""

from collections.abc import Iterator

from assent.policy.commands.spec import Finding, Invocation, Spec, known, reads


def _removes(it: Invocation) -> Iterator[Finding]:
    recursive = it.has("-r", "-R", "--recursive", "-d", "--dir")
    for arg in it.operands:
        yield it.path("delete", arg, recursive=recursive)


COMMANDS: dict[str, Spec] = {
    "ls": reads("Lists names. No option of it writes or runs anything."),
    "cat": reads("Prints files. No option of it writes or runs anything."),
    "echo": known("Prints its words."),
    "printf": known("Prints its words."),
    "true": known("Does nothing."),
    "wc": reads("Counts."),
    "head": reads(
        "Prints the beginning.", "-qvz -n: -c: --lines= --bytes= --quiet --silent --verbose --zero-terminated -#"
    ),
    "rm": Spec(
        "Deletes files.",
        "-frRidvI --force --recursive --interactive? --one-file-system --no-preserve-root --preserve-root? --dir"
        " --verbose",
        "text*",
        also=_removes,
    ),
}
