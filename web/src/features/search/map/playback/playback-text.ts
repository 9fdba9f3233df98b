import type { TimeWindow } from "#features/search/map/canvas/map-canvas.ts";
import { zonedText } from "#lib/time/time-zone.ts";
import { maxSpeed, minSpeed } from "./clock.ts";

export const speedPresets = [0.1, 1, 10, 60, 600, 3_600, 21_600, 86_400] as const;

export const yearSeconds = 365.25 * 86_400;

/** Units of data time, and the seconds they hold, the longest first. */
const speedUnits: readonly { readonly one: string; readonly many: string; readonly names: readonly string[]; readonly seconds: number }[] =
  [
    { one: "year", many: "years", names: ["y", "year", "years"], seconds: yearSeconds },
    { one: "day", many: "days", names: ["d", "day", "days"], seconds: 86_400 },
    { one: "hour", many: "hours", names: ["h", "hour", "hours"], seconds: 3_600 },
    { one: "min", many: "min", names: ["m", "min", "minute", "minutes"], seconds: 60 },
    { one: "s", many: "s", names: ["s", "second", "seconds"], seconds: 1 },
  ];
const milliseconds = { one: "ms", many: "ms", names: ["ms"], seconds: 0.001 };

/** Data time that passes in a second, for example `10 min/s`. */
export function speedText(speed: number, digits = 2): string {
  const { one, many, seconds } = speedUnits.find((unit) => speed >= unit.seconds) ?? milliseconds;
  const amount = (speed / seconds).toLocaleString("en-US", { maximumSignificantDigits: digits });
  return `${amount} ${amount === "1" ? one : many}/s`;
}

const amountPattern = /^(\d[\d,]*(?:\.\d*)?|\.\d+)/;

/** Parses a typed speed such as `10 min/s`, `2 days`, or a plain number of seconds; undefined if it is invalid or out of range. */
export function parseSpeed(text: string): number | undefined {
  const typed = text.trim();
  const amount = amountPattern.exec(typed)?.[0];
  if (amount === undefined) return undefined;
  const rest = typed.slice(amount.length).trim().toLowerCase();
  const suffix = ["per second", "/ s", "/s"].find((ending) => rest.endsWith(ending)) ?? "";
  const name = rest.slice(0, rest.length - suffix.length).trim();
  const unit =
    name === "" || name === "×" || name === "x" ? 1 : [...speedUnits, milliseconds].find(({ names }) => names.includes(name))?.seconds;
  const speed = Number(amount.replaceAll(",", "")) * (unit ?? Number.NaN);
  return speed >= minSpeed && speed <= maxSpeed ? speed : undefined;
}

export const windowUnits = [
  { name: "seconds", ms: 1_000 },
  { name: "minutes", ms: 60_000 },
  { name: "hours", ms: 3_600_000 },
  { name: "days", ms: 86_400_000 },
] as const;

/** The largest unit in which the length is at least one. */
export const windowUnitOf = (lengthMs: number): (typeof windowUnits)[number] =>
  windowUnits.findLast(({ ms }) => lengthMs >= ms) ?? windowUnits[0];

/** From here on, years tell five labels of an axis apart. */
const manyYearsMs = 4 * 366 * 86_400_000;

/** An axis label, as short as the range allows: to the year, the day, the minute or the second. */
export function tickText(timeMs: number, { fromMs, toMs }: TimeWindow, zone: string): string {
  const [day = "", time = ""] = (zonedText(timeMs, zone) ?? "").split(", ");
  const spanMs = toMs - fromMs;
  if (spanMs >= manyYearsMs) return day.slice(day.lastIndexOf("/") + 1);
  if (spanMs > 4 * 86_400_000) return day;
  return spanMs > 600_000 ? `${day.slice(0, 5)} ${time.replace(/:\d\d /, " ")}` : time;
}
