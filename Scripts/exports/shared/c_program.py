"""C exports compiled with Scripts/exports/harness.c by the compiler in CC (gcc)."""
import os
import subprocess
import time

from photos import ROOT

CC = os.environ.get("CC", "gcc")
STRICT = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic"]
SANITIZED = ["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


def run(*command, **options):
    return subprocess.run([str(part) for part in command], check=True, stdout=subprocess.PIPE, **options).stdout


def build(folder, name, flags):
    """Compiles the export in a folder; the program, and how many seconds it took."""
    program = folder / name
    start = time.monotonic()
    run(CC, *flags, "-I", folder, "-o", program, ROOT / "Scripts/exports/harness.c", folder / "cupola.c", "-lm")
    return program, time.monotonic() - start


def answers(program, pixels):
    """Rows of probabilities for squares of bytes."""
    lines = run(program, "classify", input=b"".join(pixels)).decode().splitlines()
    return [[float(x) for x in line.split()[:-2]] for line in lines]


def labels_of(program):
    texts = run(program, "texts").decode().splitlines()
    return [bytes.fromhex(text).decode() for text in texts[:len(texts) // 2]]
