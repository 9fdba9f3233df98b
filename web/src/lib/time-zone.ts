import { utcText } from "./dates.ts";

export const utc = "UTC";

/** The zone of this browser by its name, as in `Europe/Amsterdam`. */
export function browserZone(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return /^(Etc\/)?(UTC|UCT|GMT|Universal|Zulu|Greenwich)$/.test(timeZone) ? utc : timeZone;
}

/** MM/DD/YYYY, hh:mm:ss A as clocks in the zone showed it, by the rules of that year. Undefined for what no calendar holds. */
export function zonedText(epochMs: number, zone: string): string | undefined {
  return zone === utc || utcText(epochMs) === undefined ? utcText(epochMs) : utcText(epochMs + offsetMs(epochMs, zone));
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** How far the zone's clocks are ahead of UTC. Before there were zones, the sun's time: a few minutes and seconds more or less. */
function offsetMs(epochMs: number, zone: string): number {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
    formats.set(zone, format);
  }
  const said = format.formatToParts(epochMs).find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, sign, hours = "0", minutes = "0", seconds = "0"] = /^GMT([+-])(\d+):(\d+)(?::(\d+))?$/.exec(said) ?? [];
  return (sign === "-" ? -1_000 : 1_000) * (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds));
}
