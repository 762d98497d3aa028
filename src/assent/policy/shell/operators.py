"""The marks between words: operators, reserved words, comments, the ends of lines."""

import re

from assent.policy.shell.lexer import Lexis

_OPERATOR = re.compile(r"&&|\|\||\|&|;;&|;;|;&|[;&|()\n]")
_KEYWORD = re.compile(
    r"(?:if|then|elif|else|fi|while|until|for|select|case|esac|do|done|function|coproc|in|\{|\}|\[\[)(?=[\s;&|()<>]|$)"
)
# Nothing but the ends of lines.
_EMPTY = re.compile(r"(?:[ \t\n]|\\\n)+")
_KEYWORD_BEGINS = frozenset("itefwuscdo{}[")


class Marks(Lexis):
    def keyword(self) -> str:
        """The unquoted word that stands here, if it could be one the grammar knows."""
        text, at = self.text, self.at
        if text[at : at + 1] not in _KEYWORD_BEGINS:
            return ""
        match = _KEYWORD.match(text, at)
        return match[0] if match else ""

    def takes(self, word: str) -> bool:
        if word == ")":
            return self.takes_operator(word)
        self.blanks()
        end = self.at + len(word)
        if not self.text.startswith(word, self.at):
            return False
        if word == "!" and self.text[end : end + 1] == "(":
            self.at = end
            return True
        if self.text[end : end + 1] and self.text[end] not in " \t\n;&|()<>":
            return False
        self.at = end
        return True

    def takes_operator(self, operator: str) -> bool:
        self.blanks()
        if not self.text.startswith(operator, self.at):
            return False
        self.at += len(operator)
        return True

    def expect(self, word: str) -> None:
        self.lines()
        if not self.takes(word):
            self.fail(f"{word!r} is missing")

    def operator(self) -> str:
        self.comment()
        match = _OPERATOR.match(self.text, self.at)
        return match[0] if match else ""

    def comment(self) -> None:
        if self.text.startswith("#", self.at):
            end = self.text.find("\n", self.at)
            self.at = len(self.text) if end < 0 else end

    def lines(self) -> None:
        """Over blanks, comments and the ends of lines."""
        while True:
            if not self.awaited and (match := _EMPTY.match(self.text, self.at)):
                self.at = match.end()
            self.blanks()
            self.comment()
            if self.peek() != "\n":
                return
            self.newline()
