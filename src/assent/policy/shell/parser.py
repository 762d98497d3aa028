"""Reading a shell line the way bash reads it: every command in it, wherever it stands.

Written here rather than taken from a grammar, because a guard must not miss a command in silence: the public grammars
lose substitutions in expansions and here-documents, and fail on lines people write every day. What this cannot read,
it says.
"""

import re
from functools import lru_cache
from typing import Literal, cast

from assent.policy.shell import plain
from assent.policy.shell.limits import LONGEST, TooMuchError, UnreadableError
from assent.policy.shell.operators import Marks
from assent.policy.shell.tree import (
    Assign,
    Case,
    Command,
    Counting,
    For,
    Function,
    Group,
    If,
    List,
    Lit,
    Pipeline,
    Redirect,
    ScriptTree,
    Simple,
    Test,
    While,
    Word,
)

__all__ = ["LONGEST", "UnreadableError", "read", "readable_before"]

_REDIRECT = re.compile(r"(\d*|\{[A-Za-z_][A-Za-z0-9_]*\})(<<<|<<-|<<|<&|<>|<(?!\()|>>|>&|>\||>(?!\()|&>>|&>)")
_ASSIGN = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(\+?=)")
_SUBSCRIPT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\[")
_FUNCTION = re.compile(r"([^\s;&|()<>$`'\"\\{}=]+)[ \t]*\([ \t]*\)")
_PLAIN = re.compile(r"[ \t]+([A-Za-z0-9_./:@%+,=^-]+)(?=[ \t\n;]|$)")
_DECLARES = frozenset({"declare", "typeset", "local", "export", "readonly"})
_COMPOUND = frozenset({"{", "if", "while", "until", "for", "select", "case", "[["})
# Words that end something, so that no command begins with them.
_ENDS = frozenset({"}", "then", "else", "elif", "fi", "do", "done", "esac"})


@lru_cache(maxsize=64)
def read(text: str) -> ScriptTree:
    """Raises UnreadableError where bash would not read it, or where we cannot."""
    if (simple := plain.read(text)) is not None:
        return simple
    grammar = Grammar(text)
    script = grammar.script(frozenset())
    if grammar.at < len(text):
        grammar.fail(f"{grammar.peek()!r} is not expected here")
    return script


def readable_before(text: str, at: int) -> ScriptTree:
    """What a shell runs before it comes to the place it cannot read: the lines above, or commands of a long line."""
    end = LONGEST if len(text) > LONGEST else at
    last_command, left = text.rfind(";", 0, end), LONGEST // 8
    while (end := text.rfind("\n", 0, end)) > 0 and left > 0:
        left -= end
        try:
            return read(text[:end])
        except UnreadableError:
            continue
    try:
        return read(text[: max(last_command, 0)])
    except UnreadableError:
        return ScriptTree(())


class Grammar(Marks):
    # --- what the words need

    def script_until(self, end: str) -> ScriptTree:
        """After the opening mark; past the closing one."""
        opened, awaited = self.at, self.awaited
        self.awaited = []
        self.deeper()
        script = self.script(frozenset({end}))
        self.depth -= 1
        if not self.takes(end):
            self.fail(f"a {end} is missing", opened)
        # A here-document announced inside and not begun there has its body after the line's end.
        self.awaited = awaited + self.awaited
        return script

    def nested(self, text: str) -> ScriptTree:
        inner = Grammar(text, self.depth, self.budget)
        try:
            script = inner.script(frozenset())
            if inner.at < len(text):
                inner.fail(f"{inner.peek()!r} is not expected here")
        except UnreadableError as error:
            # The place is one of the whole line.
            error.at = self.at
            raise
        return script

    # --- scripts, lists, pipelines

    def script(self, ends: frozenset[str]) -> ScriptTree:
        start = self.at
        items: list[List] = []
        self.lines()
        while self.at < len(self.text) and not self._at_end(ends):
            items.append(self._list())
            self.blanks()
            operator = self.operator()
            if operator == "\n":
                self.lines()
            elif operator in (";", "&"):
                self.at += 1
                if operator == "&":
                    last = items[-1]
                    items[-1] = List(last.first, last.rest, background=True)
                self.lines()
            else:
                break
        return ScriptTree(tuple(items), self.text[start : self.at])

    def _at_end(self, ends: frozenset[str]) -> bool:
        if not ends:
            return False
        if self.peek() in ends:
            return self.peek() != "}" or self.keyword() == "}"
        for end in (";;&", ";;", ";&"):
            if end in ends and self.text.startswith(end, self.at):
                return True
        return self.keyword() in ends

    def _list(self) -> List:
        first = self._pipeline()
        rest: list[tuple[Literal["&&", "||"], Pipeline]] = []
        while True:
            self.blanks()
            operator = self.operator()
            if operator not in ("&&", "||"):
                return List(first, tuple(rest))
            self.at += 2
            self.lines()
            rest.append((cast("Literal['&&', '||']", operator), self._pipeline()))

    def _pipeline(self) -> Pipeline:
        while True:
            self.blanks()
            first = self.peek()
            if first == "!" and self.takes("!"):
                continue
            if first == "t" and self.takes("time"):
                self.blanks()
                while self.takes("-p") or self.takes("--"):
                    self.blanks()
                if self.operator() in (";", "\n", "&") or self.at >= len(self.text):
                    return Pipeline(())
                continue
            break
        stages = [self._command()]
        while True:
            self.blanks()
            operator = self.operator()
            if operator not in ("|", "|&"):
                return Pipeline(tuple(stages))
            self.at += len(operator)
            self.lines()
            stages.append(self._command())

    # --- commands

    def _command(self) -> Command:
        self.budget.commands -= 1
        if self.budget.commands < 0:
            raise TooMuchError("it has too many commands", self.at)
        self.blanks()
        word = self.keyword()
        if word in _COMPOUND or self.peek() == "(":
            return self._compound(word)
        if word == "function":
            return self._function_word()
        if word == "coproc":
            return self._coproc()
        if word in _ENDS:
            self.fail(f"{word!r} is not expected here")
        if (named := _FUNCTION.match(self.text, self.at)) and "=" not in named[1]:
            self.at = named.end()
            return self._function(named[1])
        return self._simple()

    def _compound(self, word: str) -> Command:
        self.deeper()
        if self.peek() == "(":
            command = self._parentheses()
        else:
            self.at += len(word)
            command = {
                "{": self._group,
                "if": self._if,
                "while": self._while,
                "until": self._while,
                "for": self._for,
                "select": self._for,
                "case": self._case,
                "[[": self._test,
            }[word]()
        self.depth -= 1
        return command

    def _parentheses(self) -> Command:
        start, depth = self.at, self.depth
        if self.text.startswith("((", start):
            self.at += 2
            try:
                arith = self.arithmetic("))")
                return Counting(arith, None, self._redirects())
            except UnreadableError as error:
                # ``((a); b)`` is a subshell in a subshell.
                self.back_to(start, error)
                self.depth = depth
        self.at += 1
        body = self.script_until(")")
        return Group(body, self._redirects(), subshell=True)

    def _group(self) -> Command:
        body = self.script(frozenset({"}"}))
        self.expect("}")
        return Group(body, self._redirects(), subshell=False)

    def _if(self) -> Command:
        branches: list[tuple[ScriptTree | None, ScriptTree]] = []
        condition = self.script(frozenset({"then"}))
        self.expect("then")
        while True:
            branches.append((condition, self.script(frozenset({"elif", "else", "fi"}))))
            if not self.takes("elif"):
                break
            condition = self.script(frozenset({"then"}))
            self.expect("then")
        if self.takes("else"):
            branches.append((None, self.script(frozenset({"fi"}))))
        self.expect("fi")
        return If(tuple(branches), self._redirects())

    def _while(self) -> Command:
        condition = self.script(frozenset({"do"}))
        body = self._do()
        return While(condition, body, self._redirects())

    def _for(self) -> Command:
        self.blanks()
        if self.text.startswith("((", self.at):
            self.at += 2
            arith = self.arithmetic("))")
            self.blanks()
            if self.operator() == ";":
                self.at += 1
            body = self._do()
            return Counting(arith, body, self._redirects())
        name = self.word().plain
        if name is None:
            self.fail("a loop needs the name of a variable")
        self.lines()
        words: list[Word] | None = None
        if self.takes("in"):
            words = []
            self.blanks()
            while self.at_word():
                words.append(self.word())
                self.blanks()
        if self.operator() == ";":
            self.at += 1
        body = self._do()
        return For(name, None if words is None else tuple(words), body, self._redirects())

    def _do(self) -> ScriptTree:
        self.lines()
        if self.takes("{"):
            body = self.script(frozenset({"}"}))
            self.expect("}")
            return body
        self.expect("do")
        body = self.script(frozenset({"done"}))
        self.expect("done")
        return body

    def _case(self) -> Command:
        self.blanks()
        word = self.word()
        self.lines()
        self.expect("in")
        branches: list[tuple[tuple[Word, ...], ScriptTree]] = []
        self.lines()
        while not self.takes("esac"):
            self.takes_operator("(")
            self.blanks()
            patterns = [self.word()]
            self.blanks()
            while self.takes_operator("|"):
                self.blanks()
                patterns.append(self.word())
                self.blanks()
            if not self.takes_operator(")"):
                self.fail("a pattern of case needs a )")
            body = self.script(frozenset({"esac", ";;", ";&", ";;&"}))
            branches.append((tuple(patterns), body))
            for end in (";;&", ";;", ";&"):
                if self.takes_operator(end):
                    break
            else:
                self.expect("esac")
                break
            self.lines()
        return Case(word, tuple(branches), self._redirects())

    def _test(self) -> Command:
        words: list[Word] = []
        while True:
            self.lines()
            if self.at >= len(self.text):
                self.fail("a [[ is never closed")
            if self.takes("]]"):
                return Test(tuple(words), self._redirects())
            if words and words[-1].raw == "=~":
                words.append(self.word(pattern=True))
            elif self.text.startswith(("&&", "||"), self.at):
                self.at += 2
            elif self.peek() in "()<>" and not self.at_word():
                self.at += 1
            else:
                words.append(self.word())

    def _function_word(self) -> Command:
        self.at += len("function")
        self.blanks()
        name = self.word().plain
        if name is None:
            self.fail("a function needs a name")
        self.blanks()
        if self.takes_operator("("):
            self.blanks()
            if not self.takes_operator(")"):
                self.fail("a function's ( needs a )")
        return self._function(name)

    def _function(self, name: str) -> Command:
        self.lines()
        word = self.keyword()
        if word not in _COMPOUND and self.peek() != "(":
            self.fail("a function needs a body")
        return Function(name, self._compound(word))

    def _coproc(self) -> Command:
        self.at += len("coproc")
        self.blanks()
        word = self.keyword()
        if word in _COMPOUND or self.peek() == "(":
            return self._compound(word)
        # ``coproc NAME { …; }``: what follows the name says that it is one.
        start = self.at
        self.word()
        self.blanks()
        if self.keyword() in _COMPOUND or self.peek() == "(":
            return self._compound(self.keyword())
        self.at = start
        return self._simple()

    # --- simple commands

    def _simple(self) -> Simple:
        start = self.at
        assigns: list[Assign] = []
        words: list[Word] = []
        redirects: list[Redirect] = []
        arrays: list[Assign] = []
        while True:
            if words and (match := _PLAIN.match(self.text, self.at)) and words[0].plain not in _DECLARES:
                # Nearly every argument, at a fraction of the price.
                self.at = match.end()
                self.spend_word()
                words.append(Word((Lit(match[1]),), match[1]))
                continue
            self.blanks()
            if redirect := self._redirect():
                redirects.append(redirect)
                continue
            if not self.at_word() or self.peek() == "#":
                break
            if not words and (assign := self._assign()):
                assigns.append(assign)
                continue
            if words and words[0].plain in _DECLARES and (assign := self._array()):
                arrays.append(assign)
                continue
            words.append(self.word())
        if not (assigns or words or redirects):
            self.fail(f"{self.peek()!r} is not expected here" if self.peek() else "it ends too early")
        if self.peek() == "(":
            self.fail("a ( is not expected here")
        return Simple(
            tuple(assigns), tuple(words), tuple(redirects), self.text[start : self.at].rstrip(), tuple(arrays)
        )

    def _assign(self) -> Assign | None:
        text = self.text
        if match := _ASSIGN.match(text, self.at):
            name, sign = match.groups()
            self.at = match.end()
            return self._value(name, append=sign == "+=")
        if match := _SUBSCRIPT.match(text, self.at):
            start, depth = self.at, self.depth
            self.at = match.end()
            try:
                place = self.arithmetic("]")
            except UnreadableError as error:
                self.back_to(start, error)
                self.depth = depth
                return None
            if text.startswith(("=", "+="), self.at):
                self.at += 2 if self.peek() == "+" else 1
                made = self._value(match[0][:-1], append=False)
                return Assign(
                    made.name, made.value, made.items, append=False, inner=place.inner, indexed=True, names=place.names
                )
            self.at = start
        return None

    def _array(self) -> Assign | None:
        """``declare x=(…)``."""
        match = _ASSIGN.match(self.text, self.at)
        if match is None or self.text[match.end() : match.end() + 1] != "(":
            return None
        self.at = match.end()
        return self._value(match[1], append=match[2] == "+=")

    def _value(self, name: str, *, append: bool) -> Assign:
        if self.peek() != "(":
            value = self.word() if self.at_word() else Word((Lit(""),), "")
            return Assign(name, value, None, append)
        opened = self.at
        self.at += 1
        items: list[Word] = []
        while True:
            self.lines()
            if self.takes_operator(")"):
                if self.at_word():
                    # To bash the word goes on, even where it looks like a comment.
                    self.fail("an array's ) ends its word")
                return Assign(name, None, tuple(items), append)
            if not self.at_word():
                self.fail("an array's ( is never closed", opened)
            items.append(self.word())

    # --- redirections

    def _redirects(self) -> tuple[Redirect, ...]:
        redirects: list[Redirect] = []
        while True:
            self.blanks()
            redirect = self._redirect()
            if redirect is None:
                return tuple(redirects)
            redirects.append(redirect)

    def _redirect(self) -> Redirect | None:
        if not self.peek() or self.peek() not in "<>&0123456789{":
            return None
        match = _REDIRECT.match(self.text, self.at)
        if match is None:
            return None
        fd, op = match.groups()
        self.at = match.end()
        self.blanks()
        if not self.at_word():
            self.fail("a redirection needs a target")
        target = self.word()
        if op not in ("<<", "<<-"):
            return Redirect(op, fd, target)
        redirect = Redirect("<<", fd, target)
        self.announce(redirect, strip=op == "<<-")
        return redirect
