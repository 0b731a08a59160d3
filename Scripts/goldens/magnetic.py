"""Computes the Earth's magnetic field. Writes CupolaCampusTests/Fixtures/magnetic.json.

Cupola implements the World Magnetic Model 2025 to convert compass headings to true headings. There are three references: the values
published with the model, unrounded values computed by NOAA's package wmm-calculator at random and difficult positions, and values of
earlier models computed by pygeomag for the years before 2025.

    published  [year, height (m), latitude, longitude, declination, inclination, H, X, Y, Z]
    exact      [year, height (m), latitude, longitude, X, Y, Z]
    earlier    [year, latitude, longitude, declination, H] of WMM2015v2 and WMM2020, where H is above 6000 nT

The published values are the 100 that NOAA NCEI and BGS publish with the model (public domain), in WMM2025_FINAL_TEST_VALUES.txt of
github.com/CIRES-Geomagnetism/wmm, with heights in kilometers. The fixture stores these values. To detect typing errors, the script first
compares Cupola's coefficients and the published values with both packages.
"""
import json
import math
import random
import warnings
from importlib.resources import files

from pygeomag import GeoMag
from wmm import wmm_calc

from goldens.fixtures import TESTS

# The package prints warnings for positions at which compasses do not work.
warnings.simplefilter("ignore")
RANDOM = random.Random(2025)
FOLDER = files("pygeomag") / "wmm"
OUTPUT = TESTS / "CupolaCampusTests/Fixtures/magnetic.json"


def model(name):
    return GeoMag(coefficients_file=str(FOLDER / f"{name}.COF"))


def noaa(year, height, latitude, longitude):
    calculator = wmm_calc()
    calculator.setup_time(dyear=year)
    calculator.setup_env(latitude, longitude, height / 1000, unit="km", msl=False)
    return [float(x[0]) for x in (calculator.get_Bx(), calculator.get_By(), calculator.get_Bz())]


lines = (FOLDER / "WMM_2025.COF").read_text().splitlines()[1:91]
coefficients = [float(x) for line in lines for x in line.split()[2:]]
swift = (TESTS.parent / "Sources/CupolaCampus/MagneticField.swift").read_text()
table = swift.split("coefficients: [Double] = [")[1].split("]")[0]
ours = [float(x) for line in table.splitlines() if "//" not in line for x in line.split(",") if x.strip()]
assert ours == coefficients and len(ours) == 360

published = []
wmm2025 = model("WMM_2025")
for year, height, latitude, longitude, *values in json.loads(OUTPUT.read_text())["published"]:
    other = wmm2025.calculate(latitude, longitude, height / 1000, year)
    x, y, z = noaa(year, height, latitude, longitude)
    for d, i, h, xyz in ((other.d, other.i, other.h, (other.x, other.y, other.z)),
                         (math.degrees(math.atan2(y, x)), math.degrees(math.atan2(z, math.hypot(x, y))),
                          math.hypot(x, y), (x, y, z))):
        assert abs(d - values[0]) < 0.00501 and abs(i - values[1]) < 0.00501 and abs(h - values[2]) < 0.501
        assert all(abs(a - b) < 0.501 for a, b in zip(xyz, values[3:]))
    published.append([year, height, latitude, longitude, *values])
assert len(published) == 100

exact = []
places = [(89.9, 10), (-89.9, -75), (0, 0), (0, 180), (0, -180), (48.3, 10.9), (-45, 179.9999), (86.0, 150)]
places += [(round(math.degrees(math.asin(RANDOM.uniform(-1, 1))), 6), round(RANDOM.uniform(-180, 180), 6)) for _ in range(92)]
for latitude, longitude in places:
    year, height = round(RANDOM.uniform(2025, 2029.9), 3), RANDOM.choice([0, 0, 250, 8848])
    exact.append([year, height, latitude, longitude, *noaa(year, height, latitude, longitude)])

earlier = []
for name, years in (("WMM_2015v2", (2015, 2017.5, 2019.9)), ("WMM_2020", (2020, 2022.5, 2024.9))):
    reference = model(name)
    for year in years:
        for latitude in range(-75, 76, 15):
            for longitude in range(-180, 180, 30):
                field = reference.calculate(latitude, longitude, 0, year)
                if field.h > 6000:
                    earlier.append([year, latitude, longitude, round(field.d, 4), round(field.h)])

parts = {"published": published, "exact": exact, "earlier": earlier}
OUTPUT.write_text("{\n" + ",\n".join(
    f'"{name}": [\n' + ",\n".join(json.dumps(row) for row in rows) + "\n]" for name, rows in parts.items()) + "\n}\n")
print(f"{OUTPUT.relative_to(TESTS)}: {[len(rows) for rows in parts.values()]} rows, {OUTPUT.stat().st_size} bytes")
