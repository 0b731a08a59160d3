"""Compares this device's answers for the photos in golden with Cupola's answers: python3 check.py

The exit code is 1 if a probability differs by more than the tolerance, or its logarithm by more than the tolerance for logarithms."""
import json, math, os, sys
sys.dont_write_bytecode = True  # adds no files to the export
import recognize

folder = os.path.join(recognize.FOLDER, "golden")
expected = json.load(open(os.path.join(folder, "expected.json"), encoding="utf-8"))
failures = 0
for picture in expected["pictures"]:
    path = os.path.join(folder, picture["file"])
    found = recognize.probabilities(path)[0]
    pairs = [(max(a, 1e-30), max(b, 1e-30)) for a, b in zip(found, picture["probabilities"])]
    difference = max(abs(a - b) for a, b in pairs)
    logarithm = max(abs(math.log(a / b)) for a, b in pairs)
    passes = recognize.labels == expected["labels"] and len(found) == len(expected["labels"])
    passes = passes and difference <= picture["tolerance"] and logarithm <= picture["log_tolerance"]
    if picture["verdict"] == "not_on_campus":
        place = picture["longitude"], picture["latitude"], 10
        passes = passes and recognize.answer(path, place) == "Not on Campus"
    failures += not passes
    print(f"{'passed' if passes else 'FAILED'}: {picture['file']} ({picture['kind']}), difference {difference:.1e}, "
          f"of logarithms {logarithm:.1e}")
sys.exit(1 if failures else 0)
