import { Button } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import { clockText } from "#lib/time/dates.ts";
import classes from "./ui.module.css";

const showAfterMs = 1_000;

interface Props {
  text: string;
  startedMs: number;
  /** Shown in the first second. */
  before?: ReactNode;
  onCancel: () => void;
}

/** The elapsed time of an operation with a Cancel button, shown after one second. */
export function Elapsed({ text, startedMs, before = null, onCancel }: Props) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, []);
  const ms = Math.max(0, now - startedMs);
  if (ms < showAfterMs) return before;
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
