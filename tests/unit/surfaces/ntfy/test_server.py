"""What an ntfy server's answers mean."""

import pytest

from assent.surfaces.base import FailedError, GoneError, RateLimitedError, SurfaceError
from assent.surfaces.ntfy import server
from assent.surfaces.service import Answer


@pytest.mark.parametrize(
    ("login", "header"),
    [
        ("none", ""),
        ("tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2", "Bearer tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2"),
        ("ada:pass:word", "Basic YWRhOnBhc3M6d29yZA=="),
    ],
)
def test_a_login_is_a_token_or_a_name_and_a_password(login: str, header: str) -> None:
    """Or none, which must be said."""
    assert server.authorization(login) == header


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (301, GoneError),
        (400, GoneError),
        (401, GoneError),
        (403, GoneError),
        (404, FailedError),
        (413, GoneError),
        (429, RateLimitedError),
        (500, FailedError),
        (502, FailedError),
        (507, FailedError),
    ],
)
def test_a_refusal_is_for_good_or_passes(status: int, kind: type[SurfaceError]) -> None:
    """A message the server will never take is not sent again."""
    with pytest.raises(kind):
        server.refused(Answer(status))


@pytest.mark.parametrize(
    ("answer", "wait"),
    [
        (Answer(429, retry_after=7.0), 7.0),
        (Answer(429, b'{"code":42901}'), server.CALM),
        (Answer(429, b'{"code":42908}'), server.DAY_IS_FULL),
        (Answer(429, b"<html>"), server.CALM),
    ],
)
def test_a_limit_is_waited_for_as_long_as_it_lasts(answer: Answer, wait: float) -> None:
    """A day whose messages are used up is not over in seconds."""
    with pytest.raises(RateLimitedError) as limited:
        server.refused(answer)
    assert limited.value.retry_after == wait
