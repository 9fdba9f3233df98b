"""Writes the flights of a CSV file (date in ISO 8601, origin, destination, delay, distance) to a database: SQLite for Datasette, DuckDB for Superset."""

import csv
import os
import sys

kind, source, target = sys.argv[1:]
unfinished = target + ".new"
if os.path.exists(unfinished):
    os.remove(unfinished)

if kind == "sqlite":
    import sqlite3

    def number(text):
        return int(text) if text else None

    connection = sqlite3.connect(unfinished)
    connection.execute("create table flights (date text, origin text, destination text, delay integer, distance integer)")
    with open(source, newline="", encoding="utf-8") as file:
        rows = csv.reader(file)
        next(rows)
        connection.executemany(
            "insert into flights values (?, ?, ?, ?, ?)",
            ([date, origin, destination, number(delay), number(distance)] for date, origin, destination, delay, distance in rows),
        )
    # Those that the measured questions can use: a range of times, its figures without reading the rows, and each other column.
    connection.execute("create index by_date on flights (date, delay)")
    connection.execute("create index by_origin on flights (origin, delay)")
    connection.execute("create index by_delay on flights (delay)")
    connection.execute("analyze")
    connection.commit()
    connection.close()
else:
    import duckdb

    connection = duckdb.connect(unfinished)
    connection.execute(f"create table flights as select * from read_csv('{source}', header = true, timestampformat = '%Y-%m-%dT%H:%M:%S')")
    connection.close()

os.replace(unfinished, target)
