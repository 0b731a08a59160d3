#!/usr/bin/env python3
"""Describes photos on a Spark cluster: `cupola features` makes one shard of each partition.

  spark-submit cupola_features.py --listing split.csv --root /shared/photos \\
    --mixture mixture.safetensors --output /shared/shards --partitions 12

The listing is cut by path into contiguous parts that depend on nothing but the listing and the number of parts.
A part that is tried again writes the same file again, whole or not at all: second attempts do no harm.

The command is a checked subprocess in `mapPartitions`, not an `RDD.pipe`: that speaks in lines, and takes a command
that failed for one that is done unless told otherwise (apache/spark#6262).
"""
from __future__ import annotations

import argparse
import csv
import io
import os
import posixpath
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

from py4j.protocol import Py4JJavaError
from pyspark import RDD, SparkFiles, TaskContext
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

Row = list[str]
Photo = tuple[str, bytearray]  # where it is in the store, and its bytes
Result = tuple[str, int, float, str, int, str]  # shard, photos, seconds, host, attempt, what the command noted


def has_scheme(path: str) -> bool:
    """Whether Hadoop reads it, such as s3a://bucket/photos, and not the operating system."""
    return re.match(r"[A-Za-z][A-Za-z0-9+.-]*://", path) is not None


def place(uri: str) -> str:
    """A URI without scheme and host, which Hadoop spells in several ways."""
    return re.sub("^/+", "/", posixpath.normpath(re.sub(r"^[A-Za-z][A-Za-z0-9+.-]*:(//[^/]*)?", "", uri)))


def literal(path: str) -> str:
    """A path whose brackets, stars and braces Hadoop takes for nothing else."""
    return re.sub(r"([][{}*?\\])", r"\\\1", path)


def read_listing(spark: SparkSession, path: str) -> tuple[Row, list[Row]]:
    """The header of a listing, and the rows to train on, sorted by path."""
    if has_scheme(path):
        data = bytes(spark.read.format("binaryFile").load(literal(path)).first()["content"])
    else:
        data = Path(path).read_bytes()
    header, *rows = [row for row in csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")) if row] or [[]]
    if not {"path", "label", "split"} <= set(header):
        raise ValueError(f"{path}: the header must have path, label and split")
    if short := next((row for row in rows if len(row) != len(header)), None):
        raise ValueError(f"{path}: not {len(header)} fields: {','.join(short)}")
    name, split = header.index("path"), header.index("split")
    # A part of test photos only would be no shard.
    if not (rows := [row for row in rows if row[split].strip() in ("train", "val")]):
        raise ValueError(f"{path}: no photos to train on")
    return header, sorted(rows, key=lambda row: row[name])


def cut(rows: list[Row], parts: int) -> list[list[Row]]:
    """Contiguous parts of nearly one size, none of them empty."""
    parts = max(1, min(parts, len(rows)))
    return [rows[number * len(rows) // parts:(number + 1) * len(rows) // parts] for number in range(parts)]


def copy_photos(photos: Iterable[Photo], names: list[str], root: str, folder: str) -> None:
    """Writes the photos of a part from the store to a folder, by the names that the listing has for them."""
    wanted = {place(f"{root}/{name}"): name for name in names}
    for uri, content in photos:
        path = Path(folder, wanted.pop(place(uri)))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    if wanted:
        raise FileNotFoundError(f"{len(wanted)} photos did not come from {root}, such as {min(wanted.values())}")


def describe(
    number: int, rows: list[Row], photos: Iterable[Photo] | None, *, names: list[str], header: Row,
    options: argparse.Namespace, threads: str,
) -> Result:
    """Makes one shard. Runs on a worker; whatever it raises makes Spark try again."""
    start, name = time.monotonic(), names[number]
    # Spark's own folders are large, and Spark removes what a killed worker left there.
    scratch = os.environ.get("SPARK_LOCAL_DIRS", "").split(",")[0] or None
    with tempfile.TemporaryDirectory(prefix="cupola-", dir=scratch) as folder:
        table, root = os.path.join(folder, "part.csv"), options.root
        with open(table, "w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([header, *rows])
        if photos is not None:
            root = os.path.join(folder, "photos")
            copy_photos(photos, [row[header.index("path")] for row in rows], options.root, root)
        command = [
            options.cupola, "features", root, "--split", table, "--allow-outside", "--quiet", "--threads", threads,
            "--mixture", SparkFiles.get(os.path.basename(options.mixture)), "--name", name, "-o", options.output,
            *(["--cache", options.cache] if options.cache else ["--no-cache"]),
            *(["--as-negatives"] if options.negatives else []),
        ]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    notes = "\n".join(done.stderr.splitlines()[-20:])
    if done.returncode != 0:
        end = f"exit {done.returncode}" if done.returncode > 0 else f"killed by signal {-done.returncode}"
        raise RuntimeError(f"{name}: {options.cupola} features: {end}\n{notes}")
    host = os.environ.get("SPARK_LOCAL_IP") or socket.gethostname()
    return name, len(rows), time.monotonic() - start, host, TaskContext.get().attemptNumber() + 1, notes


def shards(
    spark: SparkSession, header: Row, parts: list[list[Row]], names: list[str], options: argparse.Namespace
) -> RDD:
    """An RDD with one partition a shard; its elements are the results."""
    context, root = spark.sparkContext, options.root
    threads = context.getConf().get("spark.task.cpus", "1")
    work = partial(describe, names=names, header=header, options=options, threads=threads)
    if not has_scheme(root):
        numbered = context.parallelize(list(enumerate(parts)), len(parts))
        return numbered.mapPartitions(lambda part: [work(number, rows, None) for number, rows in part])

    def from_store(number: int, rows: list[Row]) -> RDD:
        listed = [row[header.index("path")] for row in rows]
        for name in listed:
            if name[:1] == "/" or ".." in name.split("/"):
                raise ValueError(f"{name} is not below {root}")
            if posixpath.basename(name)[:1] in ("_", "."):
                raise ValueError(f"{name}: Spark reads no files whose names begin with _ or .")
        photos = spark.read.format("binaryFile").option("recursiveFileLookup", True).load(
            [literal(f"{root}/{name}") for name in listed]).select("path", "content").rdd
        # One task reads all of a part, one photo after the other, without a shuffle.
        return photos.coalesce(1).mapPartitions(lambda photos: [work(number, rows, photos)])

    return context.union([from_store(number, rows) for number, rows in enumerate(parts)])


def check_output(folder: str, names: list[str], kind: str) -> None:
    """Training reads all shards of a folder, so none may be left from another division."""
    known = {name + ".safetensors" for name in names}
    for file in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
        if re.fullmatch(kind + r"-\d+-of-\d+\.safetensors", file) and file not in known:
            raise ValueError(f"{folder} has {file}, of another number of parts: remove the old shards")


def run(spark: SparkSession, options: argparse.Namespace) -> Iterator[str]:
    """Does the job, and tells about it."""
    options.output = os.path.abspath(options.output)
    options.root = options.root.rstrip("/") if has_scheme(options.root) else os.path.abspath(options.root)
    header, rows = read_listing(spark, options.listing)
    parts, kind = cut(rows, options.partitions), "negatives" if options.negatives else "part"
    names = [f"{kind}-{number:05}-of-{len(parts):05}" for number in range(len(parts))]
    check_output(options.output, names, kind)
    spark.sparkContext.addFile(options.mixture)
    results: list[Result] = shards(spark, header, parts, names, options).collect()
    for name, photos, seconds, host, attempt, notes in sorted(results):
        yield f"{name}  {photos} photos  {seconds:.1f} s  {host}  attempt {attempt}"
        yield from notes.splitlines()
    absent = [name for name in names if not os.path.exists(os.path.join(options.output, name + ".safetensors"))]
    if absent or len(results) != len(names):
        raise FileNotFoundError(f"{len(absent)} shards are not in {options.output}: is it shared by all machines?")
    yield f"{len(names)} shards, {len(rows)} photos in {options.output}"


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description="Describes photos on a Spark cluster.")
    add = parser.add_argument
    add("--listing", required=True, help="CSV path,label,split[,group]: a path here, or a URI that Spark reads")
    add("--root", required=True, help="where relative paths are: a folder that workers share, or a URI")
    add("--mixture", required=True, help="what cupola features PHOTOS --mixture wrote, here")
    add("--output", required=True, help="the folder for the shards, shared by all machines")
    add("--partitions", type=int, default=16, help="how many shards (default: 16)")
    add("--cupola", default="cupola", help="the command on the workers")
    add("--cache", help="a folder on the workers where features stay for the next time (default: none)")
    add("--negatives", action="store_true", help="the photos are of things that are no buildings")
    options = parser.parse_args()
    spark = SparkSession.builder.appName("cupola features").getOrCreate()
    try:
        for line in run(spark, options):
            print(line, flush=True)
    except Py4JJavaError as error:
        sys.exit("cupola_features: " + error.java_exception.getMessage().partition("\n\tat ")[0].strip())
    except (OSError, ValueError, csv.Error, PySparkException) as error:
        sys.exit(f"cupola_features: {error}")
    finally:
        spark.stop()


if __name__ == "__main__":
    main()
