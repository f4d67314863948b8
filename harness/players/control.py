"""The match's end of a zygote's socket: one request after another, each with what comes back."""

from __future__ import annotations

import os
import socket
import struct
from typing import Final

from harness.players import burial, wire
from harness.players.base import PlatformFault
from harness.players.burial import End

_ANSWER: Final = struct.pack("ll", 60, 0)
"""Seconds that a zygote has for an answer: it imports libraries first."""


class Control:
    """What a zygote can be asked. Raises PlatformFault where it is gone or does not answer."""

    def __init__(self, ours: socket.socket) -> None:
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, _ANSWER)
        self._socket = ours

    def open(self, plan: wire.Plan) -> wire.Opened:
        """Tell it what it is for, before anything else; says whether it can be that."""
        self._send(wire.encode(plan))
        opened, _ = self._hear()
        if not isinstance(opened, wire.Opened):
            raise PlatformFault(f"the zygote answered {opened!r}")
        return opened

    def have(self, game: wire.Rules) -> None:
        """Have it make a game ready."""
        self._send(wire.encode(game))

    def fork(self, number: int, over: list[int], *descriptors: int) -> int:
        """Have it bury the seats that are `over` and fork one with these descriptors; returns a pidfd."""
        self._send(wire.encode(wire.Fork(number, over)), *descriptors)
        while True:
            heard, received = self._hear()
            if isinstance(heard, wire.Forked):
                if heard.number == number and received:
                    return received[0]
                for descriptor in received:
                    os.close(descriptor)

    def end(self, number: int) -> End:
        """How a seat's process has ended. The zygote does nothing else until it has."""
        self._send(wire.encode(wire.Ended(number)))
        told, _ = self._receive()
        return burial.read(told)

    def close(self) -> None:
        """Let the zygote end, and all its seats."""
        self._socket.close()

    def _send(self, request: bytes, *descriptors: int) -> None:
        try:
            socket.send_fds(self._socket, [request], descriptors)
        except OSError as error:
            raise PlatformFault(f"the zygote is gone: {error.strerror}") from None

    def _hear(self) -> tuple[wire.Opened | wire.Forked, list[int]]:
        """The zygote's next message, with its descriptors."""
        data, descriptors = self._receive()
        return wire.read_news(data), descriptors

    def _receive(self) -> tuple[bytes, list[int]]:
        """The same as it came, never empty."""
        try:
            data, descriptors, _, _ = socket.recv_fds(self._socket, wire.LARGEST, 1)
        except BlockingIOError:
            raise PlatformFault("the zygote does not answer") from None
        except OSError as error:
            raise PlatformFault(f"the zygote is gone: {error.strerror}") from None
        if not data:
            raise PlatformFault("the zygote is gone")
        return data, descriptors
