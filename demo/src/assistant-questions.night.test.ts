import { readFileSync } from "node:fs";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, expect, it } from "vitest";
import { demoFile, vegaFile } from "./data-files.ts";

/** Answers of the documentation's questions by groups, computed from the source files by SQL of their own: a row for each question. */
const byQuestion: Readonly<Record<number, string>> = {
  21: `with means as (select origin, sum(delay) / count(delay)::double as mean, count(*) as flights from may group by origin),
      ranked as (select *, row_number() over (order by mean desc) as place from means)
    select a.origin, a.mean, a.flights, b.origin, b.mean, c.origin, c.mean
    from ranked a, ranked b, ranked c where a.place = 1 and b.place = 2 and c.place = 3`,
  22: "select origin, median(delay) from may group by origin having count(*) >= 1000 order by median(delay) desc, origin limit 1",
  23: `select quantile_cont(delay::double, 0.9), count(*) from may
    where origin = 'ORD' and dayname(date) in ('Saturday', 'Sunday')`,
  24: `select origin, 100 * avg(case when delay >= 15 then 1.0 else 0.0 end) as late from may
    group by origin having count(*) >= 100 order by late desc limit 1`,
  25: `with days as (select dayname(date) as day, avg(delay) as mean from flights
      where date >= '2001-01-01' and date < '2001-07-01' group by day)
    select arg_max(day, mean), max(mean), arg_min(day, mean) from days`,
  26: `select (select avg(delay) from may) - avg(delay), count(*), (select count(*) from may) from flights
    where date >= '2001-04-01' and date < '2001-05-01'`,
  27: `select 'ORD', 'Monday', avg(delay) filter (origin = 'ORD'), avg(delay) filter (origin = 'ATL') from may
    where dayname(date) = 'Monday'`,
  28: `with busiest as (select origin, count(*) as flights from may group by origin order by flights desc limit 5)
    select (select arg_max(origin, flights) from busiest), count(distinct origin), count(*), avg(delay), median(delay) from may
    where origin not in (select origin from busiest)`,
  29: `select count(*), sum(flights)::bigint from (select count(*) as flights from may group by origin having count(*) < 100)`,
  30: `with coded as (select iata from strikes left join crosswalk on airport_name = "Airport Name"),
      counts as (select iata, count(*) as strikes from coded where iata is not null group by iata)
    select arg_max(iata, strikes), max(strikes), (select count(*) from coded where iata is null) from counts`,
};

interface Question {
  readonly answer: readonly { readonly is: string | number }[];
}

const documentation = readFileSync(new URL("../../docs/assistants.md", import.meta.url), "utf8");
const questions = new Map(
  Array.from(documentation.matchAll(/^### (\d+)\. .+\n\n```json\n([\s\S]+?)\n```$/gm), ([, number, json = ""]) => [
    Number(number),
    JSON.parse(json) as Question,
  ]),
);

let instance: DuckDBInstance;
let connection: DuckDBConnection;

beforeAll(async () => {
  instance = await DuckDBInstance.create(":memory:");
  connection = await instance.connect();
  await connection.run(`create view flights as select * from read_parquet('${vegaFile("flights-3m.parquet")}')`);
  await connection.run("create view may as select * from flights where date >= '2001-05-01' and date < '2001-06-01'");
  for (const [name, file] of [
    ["strikes", vegaFile("birdstrikes.csv")],
    ["crosswalk", demoFile("birdstrikes-airport-iata.csv")],
  ])
    await connection.run(`create view ${name} as select * from read_csv('${file}', header = true, all_varchar = true)`);
});
afterAll(() => {
  connection.closeSync();
  instance.closeSync();
});

const rounded = (figure: number): number => Number(figure.toPrecision(9));

it("compares every question by groups", () => {
  expect([...questions.keys()].filter((number) => number > 20)).toEqual(Object.keys(byQuestion).map(Number));
});

it.each(Object.entries(byQuestion))("question %s is answered as the source files say", async (number, sql) => {
  const [row = []] = (await connection.runAndReadAll(sql)).getRowsJson();
  const answers = questions.get(Number(number))?.answer.map(({ is }) => is) ?? [];
  // Whole numbers are texts in the engine's JSON, and the last digits of averages depend on the order of rows.
  const computed = row.map((value, index) => (typeof answers[index] === "number" ? rounded(Number(value)) : value));
  expect(computed).toEqual(answers.map((is) => (typeof is === "number" ? rounded(is) : is)));
});
