"""Writes a small image in each format and variant that phones and websites use to Consumer/Tests/FormatsTests/Fixtures/.

If its traits are enabled, Cupola must decode HEIC, AVIF, PNG and WebP to the same pixels as Pillow (with pillow-heif, and LittleCMS for
color profiles): rotated upright once, blended with white, in 8-bit sRGB. The images in lossy formats are smooth and have no chroma
subsampling, so that the results of different decoders differ by only a few levels.

NAME.EXTENSION, and the expected image NAME.EXTENSION.ppm:
    plain               opaque
    rotated             EXIF orientation 6; HEIC has its own rotation, and the same orientation in its EXIF block
    p3                  Display P3 samples, with an ICC profile of curves and a matrix
    alpha               transparent on the right
    gray, gray16, rgb16, palette, interlaced      other sample types of PNG
    ten                 10-bit HEIC
"""
import io
import struct
import zlib

import numpy as np
import pillow_heif
from PIL import Image, ImageCms, ImageOps

from goldens.exif import GPS
from goldens.fixtures import TESTS

FOLDER = TESTS / "Consumer/Tests/FormatsTests/Fixtures"
WIDTH, HEIGHT = 64, 48
pillow_heif.register_heif_opener()


def picture():
    """Return an image of ramps and soft spots without any symmetry."""
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    red, green, blue = 40 + 3 * x, 220 - 4 * y, 60 + x + 2 * y
    spot = 90 * np.exp(-((x - 16) ** 2 + (y - 34) ** 2) / 60.0)
    return np.clip(np.stack([red - spot, green + 0 * x, blue + spot], -1), 0, 255).round().astype(np.uint8)


def exif(orientation):
    block = Image.Exif()
    block[0x112] = orientation
    block[0x8769] = {0x9003: "2025:06:07 08:09:10"}
    block[GPS] = {1: "S", 2: (12.0, 2.0, 45.67), 3: "W", 4: (77.0, 1.0, 50.151), 16: "T", 17: 280.75}
    return block.tobytes()


def profile():
    """Return a version 2 ICC profile of Display P3, with primaries adapted to D50 and the sRGB curve in 1024 steps."""
    steps = np.linspace(0, 1, 1024)
    light = np.where(steps <= 0.04045, steps / 12.92, ((steps + 0.055) / 1.055) ** 2.4)
    curve = b"curv\0\0\0\0" + struct.pack(">I", 1024) + (light * 65535).round().astype(">u2").tobytes()

    def xyz(*values):
        return b"XYZ \0\0\0\0" + struct.pack(">3i", *(round(value * 65536) for value in values))

    tags = {
        b"desc": b"desc\0\0\0\0" + struct.pack(">I", 3) + b"P3\0".ljust(79, b"\0"),
        b"cprt": b"text\0\0\0\0none\0", b"wtpt": xyz(0.95045, 1, 1.08905),
        b"rXYZ": xyz(0.51512, 0.24120, -0.00105), b"gXYZ": xyz(0.29198, 0.69225, 0.04189),
        b"bXYZ": xyz(0.15710, 0.06657, 0.78407), b"rTRC": curve, b"gTRC": curve, b"bTRC": curve,
    }
    table, body, at = b"", b"", 128 + 4 + 12 * len(tags)
    for name, data in tags.items():
        data += b"\0" * (-len(data) % 4)
        table += name + struct.pack(">II", at + len(body), len(data))
        body += data
    header = struct.pack(">I4sI4s4s4s6H4s", at + len(body), b"\0\0\0\0", 0x02400000, b"mntr", b"RGB ", b"XYZ ",
                         2025, 1, 1, 0, 0, 0, b"acsp").ljust(68, b"\0") + struct.pack(">3i", 63190, 65536, 54061)
    return header.ljust(128, b"\0") + struct.pack(">I", len(tags)) + table + body


def saved(image, kind, **options):
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png(depth, color, rows, interlace=0):
    header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, depth, color, 0, 0, interlace)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def rows(samples):
    """Return unfiltered PNG rows with 8 bits, or 16 big-endian bits, per sample."""
    samples = samples.astype(">u2" if samples.dtype == np.uint16 else np.uint8)
    return b"".join(b"\0" + row.tobytes() for row in samples)


def interlaced(samples):
    passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
    return b"".join(rows(np.ascontiguousarray(samples[y::dy, x::dx])) for x, y, dx, dy in passes)


def shown(file):
    """Return the expected image: upright, in sRGB, blended with white."""
    image = ImageOps.exif_transpose(Image.open(io.BytesIO(file)))
    icc = image.info.get("icc_profile")
    if image.mode in ("P", "LA", "PA") or "transparency" in image.info:
        image = image.convert("RGBA")
    if image.mode == "RGBA":
        image = Image.alpha_composite(Image.new("RGBA", image.size, "white"), image)
    image = image.convert("RGB")
    if icc:
        source = ImageCms.ImageCmsProfile(io.BytesIO(icc))
        image = ImageCms.profileToProfile(image, source, ImageCms.createProfile("sRGB"),
                                          renderingIntent=ImageCms.Intent.RELATIVE_COLORIMETRIC)
    return np.asarray(image)


rgb = picture()
image = Image.fromarray(rgb)
turned = image.transpose(Image.Transpose.ROTATE_90)  # upright with orientation 6
alpha = np.dstack([rgb, np.broadcast_to(np.linspace(255, 0, WIDTH).round(), (HEIGHT, WIDTH))]).astype(np.uint8)
wide = profile()
heif = {"quality": 95, "chroma": 444}
files, expected = {}, {}
for extension, kind, options in (("heic", "HEIF", heif), ("avif", "AVIF", {"quality": 95, "subsampling": "4:4:4"}),
                                 ("png", "PNG", {}), ("webp", "WEBP", {"quality": 98}), ("jpg", "JPEG", {"quality": 97, "subsampling": 0})):
    files[f"plain.{extension}"] = saved(image, kind, **options)
    files[f"p3.{extension}"] = saved(image, kind, icc_profile=wide, exif=exif(1), **options)
    # pillow-heif and Pillow's AVIF encoder convert an EXIF orientation to the rotation of the file format.
    files[f"rotated.{extension}"] = saved(turned, kind, exif=exif(6), **options)
    if extension != "jpg":
        files[f"alpha.{extension}"] = saved(Image.fromarray(alpha), kind, exif=exif(1), **({"lossless": True} if kind == "WEBP" else options))
gray16 = (rgb[..., 1].astype(np.uint16) * 257) ^ 0x55
files |= {
    "gray.png": png(8, 0, rows(rgb[..., 1])), "gray16.png": png(16, 0, rows(gray16)),
    "rgb16.png": png(16, 2, rows((rgb.astype(np.uint16) * 257).reshape(HEIGHT, -1))),
    "interlaced.png": png(8, 2, interlaced(rgb), interlace=1),
    "palette.png": saved(image.quantize(32), "PNG", transparency=3),
}
deep = pillow_heif.from_bytes("RGB;16", (WIDTH, HEIGHT), (rgb.astype("<u2") * 257).tobytes())
file = io.BytesIO()
deep.save(file, quality=95, chroma=444, save_to_12bit=False)
files["ten.heic"] = file.getvalue()
for name, data in files.items():
    expected[name] = shown(data)
for name in "gray16.png", "rgb16.png":  # Pillow truncates 16-bit samples, Cupola rounds them
    expected[name] = np.repeat((gray16 / 257.0).round().astype(np.uint8)[..., None], 3, 2) if "gray" in name else rgb
for name, pixels in expected.items():
    assert pixels.shape == (HEIGHT, WIDTH, 3), (name, pixels.shape)
    print(f"{name}: {len(files[name])} bytes, largest difference from the source image: {abs(pixels.astype(int) - rgb).max()}")
    (FOLDER / name).write_bytes(files[name])
    (FOLDER / f"{name}.ppm").write_bytes(b"P6\n%d %d\n255\n" % (WIDTH, HEIGHT) + pixels.tobytes())
