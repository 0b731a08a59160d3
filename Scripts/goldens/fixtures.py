"""The location of the fixtures, and the function that writes them."""
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file

TESTS = Path(__file__).resolve().parents[2] / "Tests"


def save(path, tensors):
    """Write `tensors` to `path`, relative to Tests/.

    safetensors stores arrays in memory order without checking it, so transposed and Fortran-ordered arrays are made
    contiguous first.
    """
    path = TESTS / path
    path.parent.mkdir(parents=True, exist_ok=True)
    save_file({name: np.ascontiguousarray(array) for name, array in tensors.items()}, path)
    path.chmod(0o644)
    print(f"{path.relative_to(TESTS)}: {len(tensors)} tensors, {path.stat().st_size} bytes")
