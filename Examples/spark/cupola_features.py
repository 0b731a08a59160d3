#!/usr/bin/env python3
"""Computes photo features on a Spark cluster: `cupola features` writes one shard per partition.

  spark-submit cupola_features.py --listing split.csv --root /shared/photos \\
    --mixture mixture.safetensors --output /shared/shards --partitions 12

The listing is sorted by path and cut into contiguous parts, which depend only on the listing and the number of parts.
A retried part writes the same file again, atomically, so that second attempts do no harm.

The command is a checked subprocess in `mapPartitions`, because `RDD.pipe` exchanges lines of text and may treat a
failed command as successful (apache/spark#6262).
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
Photo = tuple[str, bytearray]  # URI in the store, and bytes
Result = tuple[str, int, float, str, int, str]  # shard, photos, seconds, host, attempt, notes of the command


def has_scheme(path: str) -> bool:
    """Return whether a path is a URI for Hadoop, such as s3a://bucket/photos, and not a local path."""
    return re.match(r"[A-Za-z][A-Za-z0-9+.-]*://", path) is not None


def place(uri: str) -> str:
    """Return the path of a URI, without scheme and host, which Hadoop writes in several ways."""
    return re.sub("^/+", "/", posixpath.normpath(re.sub(r"^[A-Za-z][A-Za-z0-9+.-]*:(//[^/]*)?", "", uri)))


def literal(path: str) -> str:
    """Escape the characters of a path that Hadoop would interpret as a pattern."""
    return re.sub(r"([][{}*?\\])", r"\\\1", path)


def read_listing(spark: SparkSession, path: str) -> tuple[Row, list[Row]]:
    """Return the header of a listing, and the training rows sorted by path."""
    if has_scheme(path):
        data = bytes(spark.read.format("binaryFile").load(literal(path)).first()["content"])
    else:
        data = Path(path).read_bytes()
    header, *rows = [row for row in csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")) if row] or [[]]
    if not {"path", "label", "split"} <= set(header):
        raise ValueError(f"{path}: the header must have path, label and split")
    if short := next((row for row in rows if len(row) != len(header)), None):
        raise ValueError(f"{path}: expected {len(header)} fields: {','.join(short)}")
    name, split = header.index("path"), header.index("split")
    # A part with test photos only would not be a shard.
    if not (rows := [row for row in rows if row[split].strip() in ("train", "val")]):
        raise ValueError(f"{path}: no training photos (split train or val)")
    return header, sorted(rows, key=lambda row: row[name])


def cut(rows: list[Row], parts: int) -> list[list[Row]]:
    """Cut rows into contiguous, non-empty parts of nearly equal size."""
    parts = max(1, min(parts, len(rows)))
    return [rows[number * len(rows) // parts:(number + 1) * len(rows) // parts] for number in range(parts)]


def copy_photos(photos: Iterable[Photo], names: list[str], root: str, folder: str) -> None:
    """Copy the photos of a part from the store to a folder, with their names in the listing."""
    wanted = {place(f"{root}/{name}"): name for name in names}
    for uri, content in photos:
        path = Path(folder, wanted.pop(place(uri)))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    if wanted:
        raise FileNotFoundError(f"{len(wanted)} photos are missing in {root}, such as {min(wanted.values())}")


def describe(
    number: int, rows: list[Row], photos: Iterable[Photo] | None, *, names: list[str], header: Row,
    options: argparse.Namespace, threads: str,
) -> Result:
    """Write one shard. Runs on a worker; exceptions make Spark retry."""
    start, name = time.monotonic(), names[number]
    # Spark's own folders are large, and Spark removes files left there by a killed worker.
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
    """Return an RDD with one partition per shard; its elements are the results."""
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
                raise ValueError(f"{name}: outside of {root}")
            if posixpath.basename(name)[:1] in ("_", "."):
                raise ValueError(f"{name}: Spark ignores files whose names start with _ or .; rename it")
        photos = spark.read.format("binaryFile").option("recursiveFileLookup", True).load(
            [literal(f"{root}/{name}") for name in listed]).select("path", "content").rdd
        # One task reads all photos of a part, one at a time, without a shuffle.
        return photos.coalesce(1).mapPartitions(lambda photos: [work(number, rows, photos)])

    return context.union([from_store(number, rows) for number, rows in enumerate(parts)])


def check_output(folder: str, names: list[str], kind: str) -> None:
    """Reject shards from another number of partitions, as training reads all shards of a folder."""
    known = {name + ".safetensors" for name in names}
    for file in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
        if re.fullmatch(kind + r"-\d+-of-\d+\.safetensors", file) and file not in known:
            raise ValueError(f"{folder}: {file} is from another number of partitions; delete the old shards")


def run(spark: SparkSession, options: argparse.Namespace) -> Iterator[str]:
    """Run the job, and yield lines of progress."""
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
        raise FileNotFoundError(f"{len(absent)} shards are missing in {options.output}; make sure that all machines share it")
    yield f"{len(names)} shards, {len(rows)} photos in {options.output}"


def main() -> None:
    """Parse the command line and run the job."""
    parser = argparse.ArgumentParser(description="Computes photo features on a Spark cluster.")
    add = parser.add_argument
    add("--listing", required=True, help="CSV file path,label,split[,group]: a local path or a URI for Spark")
    add("--root", required=True, help="root of relative paths: a folder shared by all workers, or a URI")
    add("--mixture", required=True, help="local file written by cupola features PHOTOS --mixture")
    add("--output", required=True, help="folder for the shards, shared by all machines")
    add("--partitions", type=int, default=16, help="number of shards (default: 16)")
    add("--cupola", default="cupola", help="cupola command on the workers (default: cupola)")
    add("--cache", help="folder on the workers for cached features (default: none)")
    add("--negatives", action="store_true", help="the photos are non-building photos")
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
