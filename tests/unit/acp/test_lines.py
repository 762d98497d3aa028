"""Lines of a stream."""

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assent.acp import lines


async def read(chunks: list[bytes], longest: int = lines.LONGEST) -> list[bytes]:
    stream = asyncio.StreamReader()
    for chunk in chunks:
        stream.feed_data(chunk)
    stream.feed_eof()
    return [line async for line in lines.read(stream, longest)]


@given(chunks=st.lists(st.binary(min_size=1, max_size=20) | st.just(b"\n"), max_size=20))
@settings(deadline=None)
def test_lines_are_the_bytes_that_came(chunks: list[bytes]) -> None:
    """However they were cut on the way."""
    found = asyncio.run(read(chunks))
    assert b"".join(found) == b"".join(chunks)
    assert all(line.count(b"\n") == line.endswith(b"\n") for line in found)


@pytest.mark.anyio
async def test_line_without_an_end_is_bounded() -> None:
    with pytest.raises(lines.TooLongError):
        await read([b"x" * 200_000], longest=100_000)
