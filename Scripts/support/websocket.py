"""A WebSocket client for tests of `cupola serve`."""
import socket
import struct

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


def message(data, kind=BINARY):
    """The bytes of a message. Its mask is zero, so that messages can be prepared once."""
    return struct.pack("!BBQI", 0x80 | kind, 0xFF, len(data), 0) + data


class WebSocket:
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), 10)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.sendall(b"GET /live HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n")
        self.file = self.socket.makefile("rb")
        if b" 101 " not in self.file.readline():
            raise OSError("no WebSocket")
        while self.file.readline().strip():
            pass

    def send(self, data, kind=BINARY):
        self.socket.sendall(message(data, kind))

    def receive(self):
        """Return the type and content of the next message. Responds to pings and close frames."""
        while True:
            kind, length = (byte & 0x7F for byte in self.read(2))
            if length > 125:
                length = int.from_bytes(self.read(2 if length == 126 else 8), "big")
            data = self.read(length)
            kind &= 15
            if kind in (PING, CLOSE):
                self.send(data[:125], PONG if kind == PING else CLOSE)
            if kind != PING:
                return kind, data

    def read(self, count):
        data = self.file.read(count)
        if len(data) < count:
            raise OSError("closed")
        return data
