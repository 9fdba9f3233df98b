/**
 * Offsets of time zones as Node knows them, for statements that turn moments into local times in every engine alike: servers and JVMs
 * may have other zone data. Rules are followed from 1800 to 2100; moments before and after have the offset of the first or last moment
 * of these years, so that a zone has at most some hundred changes.
 */

/** An offset from UTC that is valid from a moment on, up to the next one. */
export interface ZoneOffset {
  /** Epoch milliseconds; -Infinity for the first. */
  readonly fromMs: number;
  /** Milliseconds to add to UTC. */
  readonly offsetMs: number;
}

/** Version of the zone data, such as `2025b`. */
export const zoneData: string = process.versions.tz ?? "unknown";

const [firstMs, lastMs] = [Date.UTC(1800, 0, 1), Date.UTC(2100, 0, 1)];
/** Shorter than any time between two changes of a zone, of which the second takes back the first. */
const stepMs = 7 * 86_400_000;

const known = new Map<string, readonly ZoneOffset[]>();

/** The name by which Node knows an IANA zone, in any case; undefined for any other text, also for offsets such as `+05:30`. */
export function zoneNamed(name: string): string | undefined {
  if (!/^[a-z]/i.test(name)) return undefined;
  try {
    return formatOf(name).resolvedOptions().timeZone;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * The offsets of a zone between two moments in epoch milliseconds, in order; by default all. The first is valid at the first moment.
 * Throws RangeError for an unknown zone. All offsets of a zone are found at its first use, which takes some tens of milliseconds.
 */
export function zoneOffsets(zone: string, fromMs: number = -Infinity, toMs: number = Infinity): readonly ZoneOffset[] {
  const all = allOffsets(zone);
  return all.filter((offset, index) => offset.fromMs <= toMs && (all[index + 1]?.fromMs ?? Infinity) > fromMs);
}

/** Milliseconds that a zone adds to UTC at a moment. */
export function offsetAt(zone: string, epochMs: number): number {
  return zoneOffsets(zone, epochMs, epochMs)[0]?.offsetMs ?? 0;
}

function allOffsets(zone: string): readonly ZoneOffset[] {
  const format = formatOf(zone);
  const name = format.resolvedOptions().timeZone;
  const found = known.get(name) ?? findOffsets(format);
  known.set(name, found);
  return found;
}

function findOffsets(format: Intl.DateTimeFormat): readonly ZoneOffset[] {
  const offsets: ZoneOffset[] = [{ fromMs: -Infinity, offsetMs: measured(format, firstMs) }];
  let [atMs, offsetMs] = [firstMs, measured(format, firstMs)];
  while (atMs < lastMs) {
    const nextMs = Math.min(atMs + stepMs, lastMs);
    const next = measured(format, nextMs);
    if (next !== offsetMs) offsets.push({ fromMs: changeBetween(format, atMs, nextMs), offsetMs: next });
    [atMs, offsetMs] = [nextMs, next];
  }
  return offsets;
}

/** The first moment that has another offset than `fromMs`, in whole seconds. */
function changeBetween(format: Intl.DateTimeFormat, fromMs: number, toMs: number): number {
  const before = measured(format, fromMs);
  let [low, high] = [fromMs / 1_000, toMs / 1_000];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (measured(format, middle * 1_000) === before) low = middle;
    else high = middle;
  }
  return high * 1_000;
}

const formatOf = (timeZone: string) =>
  new Intl.DateTimeFormat("en-US", {
    timeZone,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });

function measured(format: Intl.DateTimeFormat, epochMs: number): number {
  const [month = 1, day = 1, year = 0, hour = 0, minute = 0, second = 0] = format.format(epochMs).split(/\D+/).map(Number);
  return Date.UTC(year, month - 1, day, hour, minute, second) - epochMs;
}
