import { Button } from "@mantine/core";
import { useEffect, useState } from "react";
import { clockText } from "#lib/dates.ts";
import classes from "./elapsed.module.css";

const shownAfterMs = 1_000;

/** What runs longer than a second: for how long, and a way to stop it. Takes up its room from the start. */
export function Elapsed({ text, startedMs, onCancel }: { text: string; startedMs: number; onCancel: () => void }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, []);
  const ms = Math.max(0, now - startedMs);
  if (ms < shownAfterMs) return null;
  return (
    <div className={classes["elapsed"]}>
      <span role="status">{text}</span>
      <span className={classes["clock"]} role="timer" aria-live="off">
        {clockText(ms)}
      </span>
      <Button variant="subtle" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  );
}
