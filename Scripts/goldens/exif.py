"""Reads orientation, position and time of real photos with two independent readers that must agree (Pillow and exifread). Writes
CupolaTests/Fixtures/exif.json.

Phones write EXIF in different ways, and Cupola must read the same values as other programs. The photos are all photos in exif, and every
tenth photo in notredame and koe. These folders are in ../shared/data or in the folder CUPOLA_DATA. The photos have no license, so they are
not in the repository. The fixture contains only their records, by path relative to that folder.

Members of a record (null if the value is missing, or invalid because of a zero denominator):
    orientation            1 if missing
    latitude, longitude    degrees, negative in the south and west; both or neither
    horizontal_error       GPSHPositioningError, meters
    image_direction        degrees; image_direction_ref is T (true) or M (magnetic)
    date_time_original, offset_time_original   as written
Rationals are added as exact fractions: a value is the double nearest to degrees + minutes/60 + seconds/3600.
"""
import io
import json
import logging
import os
from fractions import Fraction
from pathlib import Path

import exifread
from PIL import Image

from goldens.fixtures import TESTS

logging.getLogger("exifread").setLevel(logging.CRITICAL)

ORIENTATION, EXIF, GPS = 0x112, 0x8769, 0x8825
DATE_TIME_ORIGINAL, OFFSET_TIME_ORIGINAL = 0x9003, 0x9011
LATITUDE_REF, LATITUDE, LONGITUDE_REF, LONGITUDE, DIRECTION_REF, DIRECTION, H_ERROR = 1, 2, 3, 4, 16, 17, 31


def fraction(value):
    denominator = getattr(value, "denominator", getattr(value, "den", None))
    return Fraction(value.numerator, denominator) if denominator else None


def degrees(parts, ref):
    parts = [fraction(part) for part in parts or ()]
    if len(parts) != 3 or None in parts or ref not in ("N", "S", "E", "W"):
        return None
    value = parts[0] + parts[1] / 60 + parts[2] / 3600
    return float(-value if ref in "SW" else value)


def text(value):
    return (value or "").strip("\0 ") or None


def number(value):
    value = None if value is None else fraction(value)
    return None if value is None else float(value)


def record(orientation, parts, direction, error, refs, times):
    latitude, longitude = (degrees(part, text(ref)) for part, ref in zip(parts, refs))
    if latitude is None or longitude is None:
        latitude = longitude = None
    return {
        "orientation": orientation or 1, "latitude": latitude, "longitude": longitude,
        "horizontal_error": number(error), "image_direction": number(direction), "image_direction_ref": text(refs[2]),
        "date_time_original": text(times[0]), "offset_time_original": text(times[1]),
    }


def by_pillow(photo):
    tags = Image.open(io.BytesIO(photo)).getexif()
    gps, exif = tags.get_ifd(GPS), tags.get_ifd(EXIF)
    return record(tags.get(ORIENTATION), [gps.get(LATITUDE), gps.get(LONGITUDE)], gps.get(DIRECTION), gps.get(H_ERROR),
                  [gps.get(LATITUDE_REF), gps.get(LONGITUDE_REF), gps.get(DIRECTION_REF)],
                  [exif.get(DATE_TIME_ORIGINAL), exif.get(OFFSET_TIME_ORIGINAL)])


def by_exifread(photo):
    tags = exifread.process_file(io.BytesIO(photo), details=False)
    values = lambda name: getattr(tags.get(name), "values", None) or None
    first = lambda name: (values(name) or [None])[0]
    return record(first("Image Orientation"), [values("GPS GPSLatitude"), values("GPS GPSLongitude")],
                  first("GPS GPSImgDirection"), first("GPS Tag 0x001F") or first("GPS GPSHPositioningError"),
                  [values("GPS GPSLatitudeRef"), values("GPS GPSLongitudeRef"), values("GPS GPSImgDirectionRef")],
                  [values("EXIF DateTimeOriginal"), values("EXIF OffsetTimeOriginal")])


def read(photo):
    """Return the record of a photo, given as bytes. Both readers must agree."""
    one, other = by_pillow(photo), by_exifread(photo)
    assert one == other, f"Pillow and exifread disagree:\n{one}\n{other}"
    return one


def main():
    folder = Path(os.environ.get("CUPOLA_DATA", TESTS.parent.parent / "shared/data"))
    photos = [path for name, step in (("exif", 1), ("notredame", 10), ("koe", 10))
              for path in sorted((folder / name).rglob("*.jpg"))[::step]]
    records = {path.relative_to(folder).as_posix(): read(path.read_bytes()) for path in photos}

    path = TESTS / "CupolaTests/Fixtures/exif.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(records, sort_keys=True, indent=1) + "\n")
    print(f"{path.relative_to(TESTS)}: {len(records)} photos, {path.stat().st_size} bytes")
    for field in next(iter(records.values())):
        print(f"  {field}: {sum(record[field] is not None for record in records.values())}")


if __name__ == "__main__":
    main()
