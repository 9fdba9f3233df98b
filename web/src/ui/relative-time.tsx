import { useEffect, useState } from "react";
import { agoText } from "#lib/time/ago-text.ts";
import { useResultZone } from "#lib/time/result-zone.ts";
import { zonedText } from "#lib/time/time-zone.ts";

const refreshMs = 10_000;

// One timer for all relative times of a page.
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function onRefresh(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => listeners.forEach((refresh) => refresh()), refreshMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** `5 minutes ago`, refreshed every 10 seconds, with the full time as its title. */
export function RelativeTime({ epochMs }: { epochMs: number }) {
  const zone = useResultZone();
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => onRefresh(() => setNowMs(Date.now())), []);
  return (
    <time dateTime={new Date(epochMs).toISOString()} title={`${zonedText(epochMs, zone) ?? ""} ${zone}`}>
      {agoText(epochMs, nowMs)}
    </time>
  );
}
