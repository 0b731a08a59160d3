"""What two independent EXIF readers find in real photos: CupolaTests/Fixtures/exif.json

    python exif.py DATA_DIR

Why: phones write EXIF in their own ways, and Cupola must read them as everyone else does. Reads every photo of
DATA_DIR/exif and every tenth of DATA_DIR/notredame and DATA_DIR/koe with Pillow and with exifread, and stops when they
disagree. The photos have no license and stay out of the repository; only these facts are kept, under the path
relative to DATA_DIR. The fields are described in exif_reading.py.
"""
import json
import sys
from pathlib import Path

from exif_reading import read
from fixtures import TESTS

folder = Path(sys.argv[1])
photos = [path for name, step in (("exif", 1), ("notredame", 10), ("koe", 10))
          for path in sorted((folder / name).rglob("*.jpg"))[::step]]
records = {path.relative_to(folder).as_posix(): read(path.read_bytes()) for path in photos}

path = TESTS / "CupolaTests/Fixtures/exif.json"
path.parent.mkdir(parents=True, exist_ok=True)
path.write_text(json.dumps(records, sort_keys=True, indent=1) + "\n")
print(f"{path.relative_to(TESTS)}: {len(records)} photos, {path.stat().st_size} bytes")
for field in next(iter(records.values())):
    print(f"  {field}: {sum(record[field] is not None for record in records.values())}")
