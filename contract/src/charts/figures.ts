import type { BreakdownAnswer, BreakdownAxis, BreakdownEntry } from "../breakdowns.ts";
import { formatCount } from "../counts.ts";
import { type Column, columnType, isTimestamp } from "../columns.ts";
import type { CellValue } from "../search.ts";
import { monthNames, utcValueText } from "../utc-texts.ts";

type Measure = BreakdownAnswer["measures"][number];

/** Text for a figure that a group does not have. */
const noFigure = "–";

const digits = new Map<string, Intl.NumberFormat>();
function numberText(value: number | bigint, least: number, most: number): string {
  const key = `${least} ${most}`;
  const format = digits.get(key) ?? new Intl.NumberFormat("en-US", { minimumFractionDigits: least, maximumFractionDigits: most });
  digits.set(key, format);
  return format.format(value).replace("-", "−");
}

const small = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 3 });

/** A figure without its unit: `21.98`, `41.5 %`, `≈ 12,340`, `–` for none. */
export function figureText(value: CellValue | undefined, measure: Measure): string {
  if (value === null || value === undefined) return noFigure;
  return `${measure.isEstimate ? "≈ " : ""}${plainText(value, measure)}`;
}

function plainText(value: Exclude<CellValue, null>, { id, type, unit }: Measure): string {
  const known = columnType.safeParse(type);
  if (known.success && isTimestamp(known.data)) return utcValueText({ type: known.data }, value);
  if (typeof value === "string" && (type === "integer" || type === "decimal")) return digitsText(value);
  if (typeof value !== "number") return String(value);
  if (unit === "%") return `${numberText(value, 1, 1)} %`;
  if (type === "integer" || Number.isInteger(value)) return numberText(value, /^(?:avg|stddev)\(/.test(id) ? 2 : 0, 2);
  return Math.abs(value) < 0.005 ? small.format(value).replace("-", "−") : numberText(value, /^(?:avg|stddev)\(/.test(id) ? 2 : 0, 2);
}

/** Separators in a number whose digits no double holds. */
function digitsText(text: string): string {
  const [whole = "", fraction] = text.split(".");
  if (!/^-?\d+$/.test(whole)) return text;
  return `${numberText(BigInt(whole), 0, 0)}${fraction === undefined ? "" : `.${fraction}`}`;
}

/** A figure for a narrow cell: one decimal, thousands as `12.3K`. Its full name has all digits. */
export function shortFigure(value: CellValue | undefined, measure: Measure): string {
  const number = figureNumber(value);
  if (number === null || typeof value === "string") return figureText(value, measure);
  const sign = measure.isEstimate ? "≈ " : "";
  if (Math.abs(number) >= 10_000) return `${sign}${compact.format(number).replace("-", "−")}`;
  return `${sign}${Number.isInteger(number) ? numberText(number, 0, 0) : numberText(number, 1, 1)}`;
}

const compact = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 3 });

/** A change with its sign: `+8.18`, `−2.00`, `+7`. Changes of percentages are in points. */
export function changeText(change: CellValue | undefined, measure: Measure): string {
  if (typeof change !== "number") return noFigure;
  const sign = change > 0 ? "+" : "";
  const text = plainText(change, measure.unit === "%" ? { ...measure, unit: null, type: "decimal" } : measure);
  return `${measure.isEstimate ? "≈ " : ""}${sign}${text}`;
}

/** `+59.3 %`. */
export const percentText = (percent: CellValue | undefined): string =>
  typeof percent === "number" ? `${percent > 0 ? "+" : ""}${numberText(percent, 1, 1)} %` : noFigure;

/** A figure with its unit, as it is read aloud: `21.98 min`. */
export function fullFigureText(value: CellValue | undefined, measure: Measure): string {
  const text = figureText(value, measure);
  return measure.unit === null || measure.unit === "%" || text === noFigure ? text : `${text} ${measure.unit}`;
}

/** For bars and shades. Null for texts and times. */
export function figureNumber(value: CellValue | undefined): number | null {
  const number = typeof value === "string" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : null;
}

/** The name of a group on the screen: the value, `""` for the empty text, `Empty`, `Other (200)`, `May 2001`. */
export function entryLabel(entry: BreakdownEntry, axis: BreakdownAxis, columns: readonly Column[]): string {
  switch (entry.kind) {
    case "value": {
      if (entry.value === "") return '""';
      const column = columns.find(({ name }) => name === axis.column);
      return column && entry.value !== null ? utcValueText(column, entry.value) : String(entry.value);
    }
    case "empty":
      return "Empty";
    case "other":
      return entry.count === null ? "Other" : `Other (${formatCount(entry.count)})`;
    case "outside":
      return "Outside the years 1 to 9999";
    case "time":
      return timeLabel(entry.text, calendarStep(axis));
    case "part":
      return entry.name;
    case "range":
      return rangeText(entry.from, entry.to);
    case "group":
      return entry.label;
    default:
      return entry satisfies never;
  }
}

type CalendarStep = "month" | "quarter" | "year";

const shortestMonthMs = 28 * 86_400_000 - 3_600_000;
const longestMonthMs = 31 * 86_400_000 + 3_600_000;

const stepsByAxis = new WeakMap<BreakdownAxis, CalendarStep | null>();

/** The calendar step of an axis of times, by where its entries begin; null for days, weeks and other steps. */
function calendarStep(axis: BreakdownAxis): CalendarStep | null {
  const known = stepsByAxis.get(axis);
  if (known !== undefined) return known;
  const step = readStep(axis);
  stepsByAxis.set(axis, step);
  return step;
}

function readStep({ entries }: BreakdownAxis): CalendarStep | null {
  const times = entries.flatMap((entry) => (entry.kind === "time" ? [entry] : []));
  // The first one and the last one may be cut to the range of the search.
  const longestMs = Math.max(0, ...times.map(({ startMs, endMs }) => endMs - startMs));
  if (longestMs < shortestMonthMs || (times.length === 1 && longestMs > longestMonthMs)) return null;
  const starts = times.length === 1 ? times : times.slice(1);
  if (starts.some(({ text }) => text.slice(8) !== "01T00:00")) return null;
  const months = times.map(({ text }) => Number(text.slice(0, 4)) * 12 + Number(text.slice(5, 7)) - 1);
  const isEvery = (count: number): boolean =>
    months.every((month, index) => Math.floor(month / count) === Math.floor((months[0] ?? 0) / count) + index);
  const beginsWith = (count: number): boolean => months.every((month, index) => index === 0 || month % count === 0);
  if (isEvery(1)) return "month";
  if (isEvery(3) && beginsWith(3)) return "quarter";
  return isEvery(12) && beginsWith(12) ? "year" : null;
}

/** `May 2001`, `Q2 2001`, `2001`; otherwise `05/31/2001`, with the time of day unless it is the start of a day. */
function timeLabel(text: string, step: CalendarStep | null): string {
  const [year, month, day = "", clock] = text.split(/[-T]/);
  if (step === "year") return String(year);
  if (step === "quarter") return `Q${Math.ceil(Number(month) / 3)} ${year}`;
  if (step === "month") return `${monthNames[Number(month) - 1]} ${year}`;
  return `${month}/${day}/${year}${clock === undefined || clock === "00:00" ? "" : `, ${clock}`}`;
}

function rangeText(from: number | null, to: number | null): string {
  const text = (edge: number): string => numberText(edge, 0, 6);
  if (from === null) return to === null ? "All" : `Under ${text(to)}`;
  return to === null ? `${text(from)} and more` : `${text(from)} – ${text(to)}`;
}
