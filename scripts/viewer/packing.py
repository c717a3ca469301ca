# SPDX-License-Identifier: BSD-3-Clause
"""Numbers for a page: one compressed block of bytes, and an index that says what is where.

A history [T, columns] becomes whole numbers between the smallest and the largest value of each column. Of these the
first and then the differences from state to state are stored, column after column, low bytes before high ones: smooth
motions give bytes that compress well. page/data.js reads it.
"""
import base64
import gzip

import numpy as np


def zigzag(values, bits):
    """Differences modulo 2^bits as whole numbers without sign: 0, -1, 1, -2, ... become 0, 1, 2, 3, ..."""
    half = 1 << (bits - 1)
    signed = (values + half) % (1 << bits) - half
    return np.where(signed < 0, -2 * signed - 1, 2 * signed)


class Packer:
    def __init__(self):
        self.parts = []
        self.size = 0
        self.index = {}

    def _append(self, data):
        place = self.size
        self.parts.append(data + b"\0" * (-len(data) % 4))
        self.size += len(self.parts[-1])
        return place

    def add(self, name, values, kind):
        """Numbers as they are; kind: "f4" or "i4"."""
        values = np.ascontiguousarray(values, dtype="<" + kind)
        self.index[name] = {"kind": kind, "at": self._append(values.tobytes()), "shape": list(values.shape)}

    def add_history(self, name, values, depth):
        """[T, ...] with `depth` bytes a number: an error of 2^(-8 depth - 1) of the range of its column."""
        values = np.asarray(values, dtype=float)
        shape = values.shape
        values = values.reshape(shape[0], -1)
        values = np.where(np.isfinite(values), values, 0.0)
        low, high = values.min(axis=0), values.max(axis=0)
        levels = (1 << (8 * depth)) - 1
        # What is constant but for round-off needs no bits.
        step = np.where(high - low > 1e-12 * np.maximum(np.abs(low), np.abs(high)), (high - low) / levels, 0.0)
        low, step = low.astype("<f4"), step.astype("<f4")
        safe = np.where(step > 0, step.astype(float), 1.0)
        whole = np.clip(np.rint((values - low) / safe), 0, levels).astype(np.int64)
        whole[:, step == 0] = 0
        codes = zigzag(np.diff(whole, axis=0, prepend=0), 8 * depth).T
        planes = b"".join(((codes >> (8 * k)) & 255).astype(np.uint8).tobytes() for k in range(depth))
        self.index[name] = {"kind": "history", "depth": depth, "at": self._append(planes), "shape": list(shape),
                            "low": self._append(low.tobytes()), "step": self._append(step.tobytes())}

    def block(self):
        return gzip.compress(b"".join(self.parts), 6, mtime=0)

    def text(self):
        return base64.b64encode(self.block()).decode("ascii")
