import type { SendingTimes } from "@fairway/contract/subscriptions";

/** A turn to send: the day by the clock of the zone, as `2026-03-29`, and its moment in epoch milliseconds. */
export interface Turn {
  readonly day: string;
  readonly ms: number;
}

const dayMs = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (format === undefined) {
    const parts = { year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", second: "2-digit" } as const;
    format = new Intl.DateTimeFormat("en-US", { ...parts, timeZone: zone, hourCycle: "h23", era: "short" });
    formats.set(zone, format);
  }
  return format;
}

/** The time on the clock of the zone, as if it were UTC. */
function clockMs(epochMs: number, zone: string): number {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(epochMs)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  return Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
}

const dayOf = (clock: number): string => new Date(clock).toISOString().slice(0, "2026-03-29".length);

/** The day that it is in the zone. */
export const dayAt = (epochMs: number, zone: string): string => dayOf(clockMs(epochMs, zone));

/** The first moment at which the clock shows the time; undefined where it skips it. */
function momentOf(clock: number, zone: string): number | undefined {
  const offsets = [clock - dayMs, clock + dayMs].map((near) => clockMs(near, zone) - near);
  const found = offsets.map((offset) => clock - offset).filter((candidate) => clockMs(candidate, zone) === clock);
  return found.length === 0 ? undefined : Math.min(...found);
}

/**
 * The moment of a day's turn. A time that the clock repeats is its first one, a time that it skips is as much later as the clock jumps.
 * Undefined for a day that the calendar of the zone skips.
 */
export function momentOn(day: string, { hour, minute, zone }: Pick<SendingTimes, "hour" | "minute" | "zone">): number | undefined {
  const clock = Date.parse(`${day}T00:00:00Z`) + (hour * 60 + minute) * 60_000;
  const moment = momentOf(clock, zone) ?? clock - (clockMs(clock - dayMs, zone) - (clock - dayMs));
  return dayAt(moment, zone) === day ? moment : undefined;
}

/** The first turn after a moment, on a chosen day after `lastDay`. Null if there is none within the year. */
export function nextTurn(at: SendingTimes, afterMs: number, lastDay: string | null): Turn | null {
  const today = clockMs(afterMs, at.zone);
  for (let days = 0; days < 366; days += 1) {
    const clock = today + days * dayMs;
    const day = dayOf(clock);
    const weekday = new Date(clock).getUTCDay() || 7;
    if (!at.weekdays.includes(weekday) || (lastDay !== null && day <= lastDay)) continue;
    const ms = momentOn(day, at);
    if (ms !== undefined && ms > afterMs) return { day, ms };
  }
  return null;
}

const missedMs = 6 * 3_600_000;

/** Whether it is too late for a turn: another day, and hours later. */
export function isMissed(at: SendingTimes, day: string, nowMs: number): boolean {
  const plannedMs = momentOn(day, at);
  return plannedMs === undefined || (dayAt(nowMs, at.zone) !== day && nowMs - plannedMs > missedMs);
}
