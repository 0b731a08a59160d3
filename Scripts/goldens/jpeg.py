"""Writes small photos in all variants that a decoder must handle, and their expected pixels, to CupolaTests/Fixtures/jpeg/.

Cupola must decode pixels, rotate images upright and read positions with the same results as Pillow, and must handle invalid files. All
files show the same image. It has no symmetry, and its width and height are odd, so that the last blocks are incomplete.

expected.safetensors: file name without .jpg -> uint8 [height, width, 3], upright,
`ImageOps.exif_transpose(Image.open(file)).convert("RGB")` (libjpeg-turbo, accurate integer DCT, fancy upsampling).

    baseline-420 baseline-444 progressive progressive-444 (with restarts) grey
    rgb                 components R, G, B (Adobe transform 0)
    cmyk ycck           four components, inverted as by Adobe (transform 0 and 2)
    orientation-1..8    the same upright image, stored with the EXIF orientation; odd ones in little endian, even ones in big endian

Pillow converts CMYK to RGB as R = K' - round(C K' / 255), with K' = 255 - K. For the inverted samples of the file, which are C' = 255 - C
and K', this equals R = round(C' K' / 255) exactly (checked below, so no second expectation is stored). Pillow always treats four components
as inverted, even without an Adobe marker.

eighths.safetensors: file name without .jpg -> uint8 [14, 19, 3], the pixels at 1/8 size (`Image.draft`, the scaled decoding of
libjpeg-turbo), of a detailed image of 150x106 pixels, as cameras write it and in other variants:

    eighth-420 eighth-422 eighth-444            with and without chroma subsampling; optimized Huffman codes
    eighth-restarts-420 eighth-restarts-422     a restart after every 3 units; default Huffman codes

expected.json: the EXIF records (see exif.py) of the files that have EXIF data. Four files exist only for testing EXIF. gps has the same
pixels as orientation-1. The three files with invalid EXIF data have the orientation 3, which can be read from each of them, and exactly the
same pixels as orientation-3:

    gps                 south, west, horizontal error, magnetic direction, time with its offset; big endian
    exif-loop           the EXIF, GPS and next directories all point to the first directory
    exif-past-end       pointers, counts and offsets far past the end (and past 32 bits if added or multiplied)
    exif-zero-denominator   rationals n/0 in latitude and horizontal error: no position, but a direction

picture.png, picture.webp, picture.gif and header.heic (24 bytes) must be rejected with the name of their format.
"""
import io
import json
import struct

import numpy as np
from PIL import Image, ImageOps

from goldens.exif import (DATE_TIME_ORIGINAL, DIRECTION, DIRECTION_REF, EXIF, GPS, H_ERROR, LATITUDE, LATITUDE_REF,
                          LONGITUDE, LONGITUDE_REF, OFFSET_TIME_ORIGINAL, ORIENTATION, read)
from goldens.fixtures import TESTS, save

FOLDER = "CupolaTests/Fixtures/jpeg"
WIDTH, HEIGHT = 33, 21
ASCII, SHORT, LONG, RATIONAL = 2, 3, 4, 5
SIZES = {ASCII: 1, SHORT: 2, LONG: 4, RATIONAL: 8}


# The picture

def picture():
    """Return a color ramp with a dark bar, a red corner and a green dot, which has no symmetry."""
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    image = np.stack([60 + 5 * x, 230 - 8 * y, 40 + 3 * x + 4 * y], -1)
    image[3:6, 6:27] = 20, 30, 60
    image[15:, 24:] = 210, 40, 30
    image[(x - 8) ** 2 + (y - 14) ** 2 < 20] = 30, 200, 60
    return Image.fromarray(image.astype(np.uint8))


def stored(image, orientation):
    """Return the pixels to store with the EXIF `orientation` for an upright image."""
    turn = Image.Transpose
    undo = {1: None, 2: turn.FLIP_LEFT_RIGHT, 3: turn.ROTATE_180, 4: turn.FLIP_TOP_BOTTOM, 5: turn.TRANSPOSE,
            6: turn.ROTATE_90, 7: turn.TRANSVERSE, 8: turn.ROTATE_270}[orientation]
    return image if undo is None else image.transpose(undo)


def jpeg(image, **options):
    file = io.BytesIO()
    image.save(file, "JPEG", **{"quality": 95, "subsampling": "4:4:4", "optimize": True, **options})
    return file.getvalue()


def cmyk(image):
    """Return CMYK inks in which black is independent: not a realistic separation, but one in which each channel has an effect."""
    rgb = np.asarray(image).astype(int)
    black = (np.arange(WIDTH) * 4 + np.arange(HEIGHT)[:, None] * 2) % 200
    return Image.fromarray(np.dstack([255 - rgb, black]).astype(np.uint8), "CMYK")


def ycck(image):
    """Return a YCCK file, which Pillow cannot write: a CMYK file with Y, Cb, Cr instead of inks, and a corrected marker.

    Pillow inverts components when it writes them, so Y, Cb, Cr are inverted before. They are computed from C, M, Y as if these were R, G,
    B.
    """
    c, m, y, k = cmyk(image).split()
    bands = [ImageOps.invert(band) for band in Image.merge("RGB", (c, m, y)).convert("YCbCr").split()]
    data = jpeg(Image.merge("CMYK", (*bands, k)))
    marker = data.index(b"Adobe")
    assert data[marker + 11] == 0
    return data[:marker + 11] + b"\2" + data[marker + 12:]


# EXIF blocks, built byte by byte, because Pillow does not write invalid blocks

def directory(order, at, entries, following=0):
    """Return the bytes of a TIFF directory at offset `at`. `entries` maps tags to texts, shorts, rationals, directories,
    or raw (type, count, value or offset) tuples."""
    heap, rows = b"", b""
    heap_at = at + 2 + 12 * len(entries) + 4
    for tag, value in sorted(entries.items()):
        if isinstance(value, tuple):
            kind, count, field = value[0], value[1], struct.pack(order + "I", value[2])
        elif isinstance(value, dict):
            kind, count, field = LONG, 1, struct.pack(order + "I", heap_at + len(heap))
            heap += directory(order, heap_at + len(heap), value)
        else:
            if isinstance(value, str):
                kind, data = ASCII, value.encode() + b"\0"
            elif isinstance(value, int):
                kind, data = SHORT, struct.pack(order + "H", value)
            else:
                kind, data = RATIONAL, b"".join(struct.pack(order + "II", *pair) for pair in value)
            count, field = len(data) // SIZES[kind], data.ljust(4, b"\0")
            if len(data) > 4:
                field = struct.pack(order + "I", heap_at + len(heap))
                heap += data + b"\0" * (len(data) % 2)
        rows += struct.pack(order + "HHI", tag, kind, count) + field
    return struct.pack(order + "H", len(entries)) + rows + struct.pack(order + "I", following) + heap


def exif(order, entries, following=0):
    header = b"II*\0" if order == "<" else b"MM\0*"
    return b"Exif\0\0" + header + struct.pack(order + "I", 8) + directory(order, 8, entries, following)


PLACE = {LATITUDE_REF: "S", LATITUDE: [(12, 1), (2, 1), (4567, 100)],
         LONGITUDE_REF: "W", LONGITUDE: [(77, 1), (1, 1), (50151, 1000)],
         DIRECTION_REF: "M", DIRECTION: [(28075, 100)], H_ERROR: [(485, 100)]}
TIME = {DATE_TIME_ORIGINAL: "2024:03:05 16:07:08", OFFSET_TIME_ORIGINAL: "-05:00"}

upright = picture()
photos = {
    "baseline-420": jpeg(upright, subsampling="4:2:0"),
    "baseline-444": jpeg(upright, quality=80, optimize=False),
    "progressive": jpeg(upright, progressive=True, subsampling="4:2:0"),
    "progressive-444": jpeg(upright, progressive=True, restart_marker_blocks=4),
    "grey": jpeg(upright.convert("L")),
    "rgb": jpeg(upright, keep_rgb=True),
    "cmyk": jpeg(cmyk(upright)),
    "ycck": ycck(upright),
}
for k in range(1, 9):
    photos[f"orientation-{k}"] = jpeg(stored(upright, k), exif=exif("<>"[k % 2 == 0], {ORIENTATION: k}))
exif_only = {
    "gps": (1, exif(">", {ORIENTATION: 1, EXIF: TIME, GPS: PLACE})),
    "exif-loop": (3, exif("<", {ORIENTATION: 3, EXIF: (LONG, 1, 8), GPS: (LONG, 1, 8)}, following=8)),
    "exif-past-end": (3, exif("<", {
        ORIENTATION: 3, EXIF: (LONG, 1, 0xFFFFFFF0),
        GPS: {LATITUDE_REF: "S", LATITUDE: (RATIONAL, 3, 0xFFFFFFF8),
              LONGITUDE_REF: "W", LONGITUDE: (RATIONAL, 0x20000003, 200)}}, following=60000)),
    "exif-zero-denominator": (3, exif(">", {
        ORIENTATION: 3, EXIF: TIME, GPS: PLACE | {LATITUDE: [(12, 1), (2, 1), (4567, 0)], H_ERROR: [(0, 0)]}})),
}
photos |= {name: jpeg(stored(upright, k), exif=data) for name, (k, data) in exif_only.items()}


def busy():
    """Return waves, noise, and bright and dark squares, so that some blocks have few coefficients, some have many, and some samples are
    clipped."""
    y, x = np.mgrid[0:106, 0:150]
    wave = 90 * np.sin(x * y / 60)
    noise = np.random.default_rng(5).normal(0, 60, (106, 150, 3)) * (x > 75)[..., None]
    image = 128 + np.stack([wave, wave / 2 + x - 75, 100 - y], -1) + noise
    image[20:44, 16:40] = 255, 255, 250
    image[60:90, 100:131] = 0, 0, 12
    return Image.fromarray(image.clip(0, 255).astype(np.uint8))


eighths = {f"eighth-{sampling.replace(':', '')}": jpeg(busy(), quality=quality, subsampling=sampling)
           for sampling, quality in [("4:2:0", 75), ("4:2:2", 60), ("4:4:4", 40)]}
eighths |= {f"eighth-restarts-{sampling.replace(':', '')}": jpeg(
    busy(), quality=85, subsampling=sampling, optimize=False, restart_marker_blocks=3)
            for sampling in ["4:2:0", "4:2:2"]}


# Expectations

def decode(photo):
    return np.asarray(ImageOps.exif_transpose(Image.open(io.BytesIO(photo))).convert("RGB"))


expected = {name: decode(photo) for name, photo in photos.items()}
for name in "cmyk", "ycck":
    inverted = 255 - np.asarray(Image.open(io.BytesIO(photos[name]))).astype(int)
    assert (expected[name] == (2 * inverted[..., :3] * inverted[..., 3:] + 255) // 510).all()
for name, (k, _) in exif_only.items():
    assert (expected.pop(name) == expected[f"orientation-{k}"]).all()
for name, image in expected.items():
    assert image.shape == (HEIGHT, WIDTH, 3)
    if name.startswith("orientation"):
        print(f"{name}: largest difference from the source image: {abs(image.astype(int) - np.asarray(upright)).max()}")

def decode_eighth(photo):
    image = Image.open(io.BytesIO(photo))
    image.draft("RGB", (image.width // 8, image.height // 8))
    return np.asarray(image)


save(f"{FOLDER}/expected.safetensors", expected)
save(f"{FOLDER}/eighths.safetensors", {name: decode_eighth(photo) for name, photo in eighths.items()})
folder = TESTS / FOLDER
for name, photo in (photos | eighths).items():
    (folder / f"{name}.jpg").write_bytes(photo)
records = {name: read(photo) for name, photo in photos.items() if b"Exif\0\0" in photo}
(folder / "expected.json").write_text(json.dumps(records, sort_keys=True, indent=1) + "\n")
for name in "png", "webp", "gif":
    upright.save(folder / f"picture.{name}")
(folder / "header.heic").write_bytes(b"\0\0\0\x18ftypheic\0\0\0\0mif1heic")
print(f"{FOLDER}: {len(list(folder.iterdir()))} files, {sum(file.stat().st_size for file in folder.iterdir())} bytes")
