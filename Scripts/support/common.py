"""Functions shared by the Python scripts."""
import argparse
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CUPOLA = os.environ.get("CUPOLA", str(ROOT / ".build/release/cupola"))
PHOTOS, MODEL = ROOT / "TrainingData", ROOT / "Models/sample-campus.safetensors"


def parser(text):
    return argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)


def completed(*command, accept=(0,), **options):
    """Run a program and return the result; exit if its exit code is not accepted."""
    command = [str(word) for word in command]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
    if result.returncode not in accept:
        sys.exit(f"{' '.join(command)}: exit {result.returncode}\n{result.stderr}")
    return result


def run(*command, **options):
    """Run a program and return its standard output."""
    return completed(*command, **options).stdout


def cupola(*arguments, **options):
    return run(CUPOLA, *arguments, **options)


def sample_report(folder):
    """Create an evaluation report for the sample campus and return its folder."""
    cupola("evaluate", MODEL, PHOTOS, "-q", "--report", folder)
    return Path(folder)
