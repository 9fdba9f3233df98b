import type { TimeWindow } from "#features/search/map/canvas/map-canvas.ts";
import { zonedText } from "#lib/time-zone.ts";
import { maxSpeed, minSpeed } from "./clock.ts";

export const speedPresets = [0.1, 1, 10, 60, 600, 3_600, 21_600, 86_400] as const;

const number = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 3 });
const twoDigits = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 2 });

/** For example `600×`. */
export const speedText = (speed: number): string => `${number.format(speed)}×`;

/** What a speed means, for example `10 min per second`. */
export function speedMeaning(speed: number): string {
  for (const [seconds, unit] of [
    [86_400, "days"],
    [3_600, "hours"],
    [60, "min"],
    [1, "s"],
  ] as const) {
    if (speed >= seconds) return perSecond(speed / seconds, unit);
  }
  return perSecond(speed * 1_000, "ms");
}

function perSecond(amount: number, unit: string): string {
  const text = twoDigits.format(amount);
  return `${text} ${text === "1" ? unit.replace(/(?<=day|hour)s$/, "") : unit} per second`;
}

/** Parses a typed speed, with or without separators and the × sign; undefined if it is invalid or out of range. */
export function parseSpeed(text: string): number | undefined {
  const digits = text.trim().replaceAll(",", "").replace(/[×x]$/i, "").trimEnd();
  const speed = /^(?:\d+(?:\.\d*)?|\.\d+)$/.test(digits) ? Number(digits) : Number.NaN;
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

/** An axis label, as short as the range allows: to the day, the minute or the second. */
export function tickText(timeMs: number, { fromMs, toMs }: TimeWindow, zone: string): string {
  const [day = "", time = ""] = (zonedText(timeMs, zone) ?? "").split(", ");
  const spanMs = toMs - fromMs;
  if (spanMs > 4 * 86_400_000) return day;
  return spanMs > 600_000 ? `${day.slice(0, 5)} ${time.replace(/:\d\d /, " ")}` : time;
}
