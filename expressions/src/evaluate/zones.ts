/** Offsets are followed from 1800 to 2100; moments before and after have those of the first and the last moment, as in the gateway. */
const [firstMs, lastMs] = [Date.UTC(1800, 0, 1), Date.UTC(2100, 0, 1)];
const dayMs = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const two = "2-digit";
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: two,
    day: two,
    hour: two,
    minute: two,
    second: two,
  });
  formats.set(zone, format);
  return format;
}

/** Milliseconds that a zone adds to UTC at a moment. Without a zone 0. */
export function offsetAt(zone: string | undefined, epochMs: number): number {
  if (zone === undefined) return 0;
  const second = Math.floor(Math.max(firstMs, Math.min(lastMs, epochMs)) / 1_000) * 1_000;
  const [month = 1, day = 1, year = 0, hour = 0, minute = 0, seconds = 0] = formatOf(zone).format(second).split(/\D+/).map(Number);
  return Date.UTC(year, month - 1, day, hour, minute, seconds) - second;
}

/** The first moment after `fromMs` and up to `toMs` that has another offset than `fromMs`, if there is one change between them. */
function changeBetween(zone: string, fromMs: number, toMs: number): number {
  const before = offsetAt(zone, fromMs);
  let [low, high] = [Math.floor(fromMs / 1_000), Math.ceil(toMs / 1_000)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(zone, middle * 1_000) === before) low = middle;
    else high = middle;
  }
  return high * 1_000;
}

/** The start of a minute or hour of a zone's clock. A change of the offset within it begins another one. */
export function startOnClock(zone: string | undefined, epochMs: number, sizeMs: number): number {
  const offset = offsetAt(zone, epochMs);
  const local = epochMs + offset;
  const start = epochMs - (local - Math.floor(local / sizeMs) * sizeMs);
  return zone === undefined || offsetAt(zone, start) === offset ? start : changeBetween(zone, start, epochMs);
}

/** The first moment whose local time is this midnight, or the first one after it where the clock skips midnight. `localMs` as if it were UTC. */
export function momentOfMidnight(zone: string | undefined, localMs: number): number {
  if (zone === undefined) return localMs;
  const offsets = [localMs - 2 * dayMs, localMs + 2 * dayMs].map((around) => offsetAt(zone, around));
  const moments = offsets.flatMap((offset) => (offsetAt(zone, localMs - offset) === offset ? [localMs - offset] : []));
  if (moments.length > 0) return Math.min(...moments);
  return changeBetween(zone, localMs - Math.max(...offsets), localMs - Math.min(...offsets));
}
