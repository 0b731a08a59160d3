#!/usr/bin/env python3
"""Draws the pictures of the documents anew, from the sample campus and its model.

    apt-get install chromium chromium-driver fonts-dejavu-core
    python3 -m venv /tmp/venv && /tmp/venv/bin/pip install -r Scripts/pictures.requirements.txt
    swift build -c release --product cupola
    /tmp/venv/bin/python Scripts/pictures [--only stages|screens]

Stages of a photo go to Sources/Cupola/Cupola.docc/Resources, screens to Documentation/Pictures. Look at them before they are committed.
The exit code is 1 when the numbers that are drawn are not those of the command.
"""
import argparse
import io
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))
from drawing import screens, stages

ROOT = Path(__file__).resolve().parent.parent
PHOTO = ROOT / "TrainingData/founders_hall/14.jpg"
MODEL = ROOT / "Models/sample-campus.safetensors"
STAGES, SCREENS = ROOT / "Sources/Cupola/Cupola.docc/Resources", ROOT / "Documentation/Pictures"
MOST_BYTES = 60_000


def command():
    folder = subprocess.run(["swift", "build", "-c", "release", "--show-bin-path"], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    return os.path.join(folder.stdout.strip(), "cupola")


def run(tool, *arguments, folder=ROOT):
    # Reports say when they were made.
    environment = dict(os.environ, SOURCE_DATE_EPOCH="1795435200")
    return subprocess.run([tool, *map(str, arguments)], cwd=folder, stdout=subprocess.PIPE, text=True, check=True, env=environment).stdout


def save(picture, path):
    """As a PNG of 256 colors where that is small, else as a JPEG of the quality that fits."""
    path.parent.mkdir(parents=True, exist_ok=True)
    for old in path.parent.glob(path.name + ".*"):
        old.unlink()
    best = io.BytesIO()
    picture.quantize(256, dither=0).save(best, "PNG", optimize=True)
    kind = "png"
    if best.tell() > 0.75 * MOST_BYTES:
        kind = "jpg"
        for quality in range(88, 28, -4):
            best = io.BytesIO()
            picture.save(best, "JPEG", quality=quality, optimize=True, subsampling=0)
            if best.tell() <= MOST_BYTES:
                break
    file = path.with_name(f"{path.name}.{kind}")
    file.write_bytes(best.getvalue())
    print(f"{file.relative_to(ROOT)}: {picture.width} x {picture.height}, {len(best.getvalue()) / 1000:.0f} kB", flush=True)


def draw_stages(tool):
    with tempfile.TemporaryDirectory() as folder:
        seen = stages.Stages(stages.Model(MODEL), PHOTO, f"{folder}/square.jpg")
        told = json.loads(run(tool, "explain", MODEL, f"{folder}/square.jpg", "--json"))
    labels = seen.model.labels
    own = seen.logits[labels.index(told["label"])] - seen.logits[labels.index(told["against"])]
    if abs(own - told["logit_difference"]) > 1e-3:
        sys.exit(f"the drawn logits differ by {own:.4f}, the command says {told['logit_difference']:.4f}")
    names = {building["label"]: building["name"] for building in catalog()}
    save(stages.draw_preparation(seen), STAGES / "stage-square")
    save(stages.draw_planes(seen), STAGES / "stage-planes")
    save(stages.draw_gradients(seen), STAGES / "stage-gradients")
    save(stages.draw_cells(seen), STAGES / "stage-cells")
    save(stages.draw_patches(seen), STAGES / "stage-patches")
    save(stages.draw_vector(seen), STAGES / "stage-vector")
    save(stages.draw_logits(seen, names), STAGES / "stage-answer")
    with tempfile.TemporaryDirectory() as folder:
        run(tool, "explain", MODEL, PHOTO, "-o", f"{folder}/explanation.png", "--size", 640)
        save(stages.Image.open(f"{folder}/explanation.png").convert("RGB"), STAGES / "explanation")


def catalog():
    features = json.loads((ROOT / "TrainingData/campus.geojson").read_text())["features"]
    return [{"label": each["properties"].get("label") or each["properties"].get("id") or each.get("id"), "name": each["properties"]["name"]}
            for each in features if each["properties"].get("role") == "building"]


def draw_screens(tool):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for shown, file in ("visit.jpg", PHOTO), ("campus.safetensors", MODEL), ("photos", PHOTO.parent.parent):
            (folder / shown).symlink_to(file)
        output = run(tool, "classify", "campus.safetensors", "visit.jpg", folder=folder)
        save(screens.answer("cupola classify campus.safetensors visit.jpg", output, PHOTO, folder), SCREENS / "answer")
        run(tool, "evaluate", "campus.safetensors", "photos", "--report", "report", folder=folder)
        save(screens.report(folder / "report/report.html"), SCREENS / "report")
        answer = json.loads(run(tool, "classify", MODEL, PHOTO, "--json"))[0]
        save(screens.live(tool, MODEL, PHOTO, answer["position"], folder), SCREENS / "live")


parser = argparse.ArgumentParser()
parser.add_argument("--only", choices=["stages", "screens"])
arguments = parser.parse_args()
tool = command()
if arguments.only != "screens":
    draw_stages(tool)
if arguments.only != "stages":
    draw_screens(tool)
