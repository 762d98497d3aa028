"""The address of the page, with a code that opens it once."""

from assent.client import Client
from assent.errors import AssentError


def page_link(client: Client, port: int) -> str:
    address = f"http://localhost:{port}/"
    try:
        return f"{address}#open={client.pair()}"
    except AssentError:
        # Inside an agent's session nobody gets a code; the address alone still helps who has a cookie.
        return address
