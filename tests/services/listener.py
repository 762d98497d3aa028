"""A server of HTTP on loopback, in a thread of its own."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Listener:
    """Listens from its beginning until ``stop``; on any free port where that is 0."""

    def __init__(self, handler: type[BaseHTTPRequestHandler], port: int = 0) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", port), handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
