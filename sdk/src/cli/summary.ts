import { parseMeasure } from "@fairway/contract/measure-text";
import type { BreakdownGrouping, DatasetDescription, Fairway, Measure, Summary, SummaryOptions } from "../client/index.ts";
import { computedOf, describedWith } from "./computed.ts";
import { conditionsOf } from "./conditions.ts";
import { UsageError } from "./failures.ts";
import { type Format, withIsoTimes, writeRows } from "./rows.ts";
import { pagesOf, type QueryFlags } from "./search.ts";
import type { Terminal } from "./terminal.ts";

interface SummaryFlags extends QueryFlags {
  readonly by?: readonly string[] | undefined;
  readonly zone?: string | undefined;
  readonly measures?: readonly string[] | undefined;
  readonly top?: string | undefined;
  readonly other: boolean;
  readonly having?: readonly string[] | undefined;
  readonly compare?: string | undefined;
  readonly format: Format;
}

export async function summarizeDataset(fairway: Fairway, terminal: Terminal, dataset: string, flags: SummaryFlags): Promise<void> {
  const { signal } = terminal;
  const { format, from, to, where = [] } = flags;
  const fixed = { top: topOf(flags), having: flags.having, compare: compareOf(flags.compare) };
  const computed = computedOf(flags.compute);
  const description = await describedWith(await fairway.describe(dataset, { signal }), computed, fairway, dataset, signal);
  const summary = await fairway.summarize(dataset, {
    from,
    to,
    computed,
    where: conditionsOf(where, description),
    by: groupingsOf(flags, description),
    measures: flags.measures?.map((text) => measureOf(text, description)),
    ...fixed,
    signal,
  });
  const { rows, total, answer } = summary;
  if (format === "json") return terminal.write(`${JSON.stringify({ rows, total }, undefined, 2)}\n`);
  if (format === "table") await writeTable(terminal, summary, description);
  else await writeRows(terminal, format, columnsOf(summary), pagesOf(rows));
  if (answer.isCut) {
    const [axis] = answer.by;
    terminal.note(
      `Only ${rows.length} of ${axis?.found ?? "more"} groups are shown: use --top, longer steps, or export all of them in the portal.`,
    );
  }
  const estimates = answer.measures.filter(({ isEstimate }) => isEstimate).map(({ id }) => id);
  if (estimates.length > 0) terminal.note(`Estimates: ${estimates.join(", ")}.`);
}

const columnsOf = ({ answer, total }: Summary): string[] => [
  ...answer.by.flatMap(({ id, kind }) => (kind === "time" || kind === "range" ? [id, `${id} from`, `${id} to`] : [id])),
  ...Object.keys(total),
];

/** Groups by their names, with all rows in the last line. */
async function writeTable(terminal: Terminal, { rows, total, answer }: Summary, { schema }: DatasetDescription): Promise<void> {
  const names = answer.by.map(({ id }) => id);
  const [first] = names;
  const columns = [...names, ...Object.keys(total)];
  const times = answer.measures.flatMap(({ id, type }) => [
    { name: id, type },
    ...(answer.compare === null ? [] : [{ name: `${id} before`, type }]),
  ]);
  const values = answer.by.flatMap(({ id, kind, column }) => {
    const found = kind === "value" ? schema.columns.find(({ name }) => name === column) : undefined;
    return found === undefined ? [] : [{ ...found, name: id }];
  });
  const all = first === undefined ? total : { ...total, [first]: "All rows" };
  await writeRows(terminal, "table", columns, pagesOf([...withIsoTimes(rows, [...values, ...times]), ...withIsoTimes([all], times)]));
}

type Unit = Extract<BreakdownGrouping, { kind: "time" }>["unit"];
type Part = Extract<BreakdownGrouping, { kind: "part" }>["part"];
const units = keysOf<Unit>({ minute: 1, hour: 1, day: 1, week: 1, month: 1, quarter: 1, year: 1 });
const parts = keysOf<Part>({
  minuteOfHour: 1,
  hourOfDay: 1,
  dayOfWeek: 1,
  dayOfMonth: 1,
  weekOfYear: 1,
  monthOfYear: 1,
  quarterOfYear: 1,
});

/** All members of a type, which an array could leave out. */
function keysOf<Key extends string>(members: Readonly<Record<Key, 1>>): readonly Key[] {
  return Object.keys(members) as Key[];
}

function groupingsOf({ by = [], zone }: SummaryFlags, description: DatasetDescription): (string | BreakdownGrouping)[] {
  const groupings = by.map((text) => groupingOf(text, zone, description));
  if (zone !== undefined && !groupings.some((one) => typeof one === "object" && (one.kind === "time" || one.kind === "part"))) {
    throw new UsageError("--zone needs a step or a part in --by.");
  }
  return groupings;
}

/** A column that is named so, or what follows the last colon. */
function groupingOf(text: string, zone: string | undefined, { schema }: DatasetDescription): string | BreakdownGrouping {
  const colon = text.lastIndexOf(":");
  if (colon < 0 || schema.columns.some(({ name }) => name === text)) return text;
  const [name, kind] = [text.slice(0, colon), text.slice(colon + 1)];
  const timed = { ...(name === "" ? {} : { column: name }), ...(zone === undefined ? {} : { zone }) };
  const unit = units.find((one) => one === kind);
  if (unit !== undefined) return { kind: "time", unit, ...timed };
  const part = parts.find((one) => one === kind);
  if (part !== undefined) return { kind: "part", part, ...timed };
  const [, word = "", list = ""] = /^(width|edges|about)=(.+)$/.exec(kind) ?? [];
  const numbers = list.split(",").map((one) => (one.trim() === "" ? NaN : Number(one)));
  const [only = NaN, ...others] = numbers;
  if (name === "" || numbers.some((one) => !Number.isFinite(one)) || (word !== "edges" && others.length > 0)) {
    throw new UsageError(
      `--by ${JSON.stringify(text)} is no grouping: expected COLUMN, COLUMN:month, COLUMN:dayOfWeek or COLUMN:width=10.`,
    );
  }
  const ranges = word === "edges" ? { edges: numbers } : word === "width" ? { width: only } : { about: only };
  return { kind: "range", column: name, ...ranges };
}

/** A measure, or one of the rows that a condition keeps. */
function measureOf(text: string, description: DatasetDescription): Measure {
  if (parseMeasure(text) !== undefined) return text;
  const [, measure, condition] = /^(.+?)\s+where\s+(.+)$/isu.exec(text) ?? [];
  if (measure === undefined || condition === undefined) return text;
  return { measure, where: conditionsOf([condition], description), id: text };
}

function topOf({ top, other }: SummaryFlags): SummaryOptions["top"] {
  if (top === undefined) {
    if (other) throw new UsageError("--other needs --top.");
    return undefined;
  }
  if (!/^[1-9]\d{0,2}$/.test(top)) throw new UsageError(`--top ${top} is not a number of groups: expected a whole number from 1 to 999.`);
  return { count: Number(top), other };
}

function compareOf(compare: string | undefined): SummaryOptions["compare"] {
  if (compare === undefined || compare === "before" || compare === "year-before") return compare;
  throw new UsageError(`--compare ${compare} is not one of before and year-before.`);
}
