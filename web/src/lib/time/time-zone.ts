import { utcText } from "@fairway/contract/utc-texts";

export const utc = "UTC";

/** The browser's time zone, such as `Europe/Amsterdam`. */
export function browserZone(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return /^(Etc\/)?(UTC|UCT|GMT|Universal|Zulu|Greenwich)$/.test(timeZone) ? utc : timeZone;
}

/** MM/DD/YYYY, hh:mm:ss A in the zone, by the rules of that year. Undefined out of the calendar's range. */
export function zonedText(epochMs: number, zone: string): string | undefined {
  return zone === utc || utcText(epochMs) === undefined ? utcText(epochMs) : utcText(epochMs + offsetMs(epochMs, zone));
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** The zone's offset from UTC. Before standard time this is local mean time, with odd minutes and seconds. */
function offsetMs(epochMs: number, zone: string): number {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
    formats.set(zone, format);
  }
  const offsetText = format.formatToParts(epochMs).find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, sign, hours = "0", minutes = "0", seconds = "0"] = /^GMT([+-])(\d+):(\d+)(?::(\d+))?$/.exec(offsetText) ?? [];
  return (sign === "-" ? -1_000 : 1_000) * (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds));
}
