import { useResultZone } from "#lib/time/result-zone.ts";
import { zonedText } from "#lib/time/time-zone.ts";

/** A time as MM/DD/YYYY, hh:mm:ss A in the user's zone, which the screen shows once. */
export function FlowTime({ epochMs }: { epochMs: number }) {
  const zone = useResultZone();
  return <time dateTime={new Date(epochMs).toISOString()}>{zonedText(epochMs, zone)}</time>;
}
