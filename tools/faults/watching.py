"""Who writes where: the kernel's reports (inotify) of files that are made or written in folders, on Linux."""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Iterable, Iterator
from pathlib import Path

from tools.copies import UNFINISHED

MODIFY, MOVED_TO, CREATE, FOLDER = 0x2, 0x80, 0x100, 0x40000000


class Watch:
    """What happens to the entries of folders, but not of the folders in them.

    `in_place` has the paths of files that were made or written under their own names, instead of being moved there.
    """

    def __init__(self, folders: Iterable[Path]):
        library = ctypes.CDLL(None, use_errno=True)
        self.descriptor = library.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        self.in_place: set[Path] = set()
        self.moved = 0
        self._folders = {}
        for folder in folders:
            number = library.inotify_add_watch(self.descriptor, os.fsencode(folder), MODIFY | MOVED_TO | CREATE)
            if number < 0:
                raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), str(folder))
            self._folders[number] = folder

    def begun(self) -> int:
        """Take what has happened since the last call, and return how many jobs have begun to write outputs."""
        begun = 0
        for path, happened in self._events():
            if happened & FOLDER:
                begun += path.name.startswith(UNFINISHED)
            elif happened & MOVED_TO:
                self.moved += 1
            else:
                self.in_place.add(path)
        return begun

    def close(self) -> None:
        """Stop watching."""
        os.close(self.descriptor)

    def _events(self) -> Iterator[tuple[Path, int]]:
        while True:
            try:
                data = os.read(self.descriptor, 1 << 16)
            except BlockingIOError:
                return
            while data:
                number, happened, _, length = struct.unpack_from("iIII", data)
                if number not in self._folders:
                    raise OSError("more happened than the kernel can hold for one watch")
                yield self._folders[number] / os.fsdecode(data[16 : 16 + length].rstrip(b"\0")), happened
                data = data[16 + length :]
