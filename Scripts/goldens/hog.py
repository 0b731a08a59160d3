"""Computes HOG descriptors of gray images with scikit-image. Writes CupolaTests/Fixtures/hog.safetensors.

With compatible settings, the `hog` extractor must return the descriptor of Dalal & Triggs (2005) as computed by `skimage.feature.hog`: 9
unsigned orientations with hard votes, 8x8-pixel cells, 2x2-cell blocks, and L2-Hys normalization.

    picture.K   uint8 [height, width]
    hog.K       float32 [blocks down * blocks across * 2 * 2 * 9]

The reference computes in double precision, but adds the magnitudes in a cell in single precision, so Cupola's results differ by about 1e-5.
In single precision, a hard vote can fall into another bin. Therefore, the script prints the smallest angle between a gradient and a bin
boundary. Angles of 0 and 90 degrees are ignored, because they are exact and 90 degrees is the center of a bin.

The photographs are from scikit-image and are in the public domain or CC0: astronaut (NASA), rocket (SpaceX),
camera (L. Varshney), coffee (R. Michetti), brick and gravel (CC0 Textures).
"""
import numpy as np
from skimage import data
from skimage.feature import hog

from goldens.fixtures import save


def grid(height, width):
    return np.mgrid[0:height, 0:width].astype(np.int64)


def noise(height, width):
    return np.random.Generator(np.random.PCG64(20240501)).integers(0, 256, (height, width))


def ramp(height, width):
    y, x = grid(height, width)
    return (3 * x + 2 * y) % 256


def bowl(height, width):
    y, x = grid(height, width)
    return ((2 * x - width) ** 2 + 2 * (2 * y - height) ** 2) * 255 // (width ** 2 + 2 * height ** 2)


def checker(height, width):
    y, x = grid(height, width)
    return 30 + 190 * ((x // 5 + y // 7) % 2)


def disk(height, width):
    y, x = grid(height, width)
    return np.where((2 * x - width + 7) ** 2 + (2 * y - height - 3) ** 2 < (min(height, width) * 3 // 2) ** 2, 210, 40)


def stripes(height, width, across, down):
    """Return a gray triangle wave that is steepest in the direction (across, down), at the angle atan2(down, across)."""
    y, x = grid(height, width)
    return abs((across * x + down * y) % 256 - 128) * 2 * 127 // 128


def photograph(image, top, left, height, width, scale):
    """Return a part of a photograph, reduced by the factor `scale` with integer block means."""
    image = image.astype(np.int64)
    if image.ndim == 3:
        image = image[..., :3] @ [77, 150, 29] // 256
    part = image[top:top + height * scale, left:left + width * scale]
    return part.reshape(height, scale, width, scale).sum((1, 3)) // scale ** 2


PICTURES = [
    noise(64, 64),
    ramp(48, 80),
    bowl(80, 48),
    checker(64, 64),
    disk(48, 80),
    stripes(64, 64, 23, 0),
    stripes(64, 64, 0, 31),
    stripes(64, 64, 17, 11),
    stripes(48, 80, -9, 20),
    noise(16, 16),
    photograph(data.astronaut(), 0, 130, 64, 64, 4),
    photograph(data.rocket(), 20, 220, 80, 48, 5),
    photograph(data.coffee(), 60, 130, 48, 80, 5),
    photograph(data.brick(), 0, 0, 64, 64, 8),
    photograph(data.gravel(), 0, 0, 64, 64, 3),
    photograph(data.camera(), 0, 0, 128, 128, 4),
]


def smallest_margin(picture):
    """Return the smallest angle in degrees between a gradient and a bin boundary, ignoring gradients of exactly 0 degrees."""
    p = picture.astype(np.float64)
    down, across = np.zeros_like(p), np.zeros_like(p)
    down[1:-1] = p[2:] - p[:-2]
    across[:, 1:-1] = p[:, 2:] - p[:, :-2]
    angle = np.degrees(np.arctan2(down, across))[down != 0] % 20
    return np.minimum(angle, 20 - angle).min(initial=20)


tensors = {}
for k, picture in enumerate(PICTURES):
    assert picture.min() >= 0 and picture.max() <= 255
    tensors[f"picture.{k}"] = picture.astype(np.uint8)
    tensors[f"hog.{k}"] = hog(picture.astype(np.float64), orientations=9, pixels_per_cell=(8, 8),
                              cells_per_block=(2, 2), block_norm="L2-Hys", feature_vector=True).astype(np.float32)
save("CupolaTests/Fixtures/hog.safetensors", tensors)
print("smallest distance from a bin boundary:", min(map(smallest_margin, PICTURES)), "degrees; float32 resolves 1.5e-5")
