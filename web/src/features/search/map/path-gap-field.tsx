import { Button, TextInput } from "@mantine/core";
import { useDebouncedEdit } from "./use-debounced-edit.ts";
import classes from "./frame/map.module.css";

const hourMs = 3_600_000;
const maxHours = 8_784;

export const hoursText = (ms: number): string => String(Number((ms / hourMs).toFixed(4)));

/** Parses hours between a second and a year; null if invalid. */
export function parseGapMs(text: string): number | null {
  const hours = Number(text);
  if (text.trim() === "" || !Number.isFinite(hours) || hours > maxHours) return null;
  const ms = Math.round(hours * hourMs);
  return ms >= 1_000 ? ms : null;
}

interface Props {
  gapMs: number;
  portalGapMs: number;
  /** null = portal default. */
  onChange: (gapMs: number | null) => void;
}

/** The gap threshold of all paths of the map. */
export function PathGapField({ gapMs, portalGapMs, onChange }: Props) {
  const apply = (text: string) => {
    const ms = parseGapMs(text);
    if (ms !== null) onChange(ms === portalGapMs ? null : ms);
  };
  const [text, setText] = useDebouncedEdit(hoursText(gapMs), apply, (typed) => parseGapMs(typed) !== null);
  return (
    <div className={classes["gap"]}>
      <TextInput
        label="Show a gap after (hours)"
        description="Longer breaks are drawn as a dashed red line, on all paths."
        size="xs"
        inputMode="decimal"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        error={parseGapMs(text) === null ? `Enter hours above 0 and up to ${maxHours.toLocaleString("en-US")}.` : undefined}
      />
      {gapMs !== portalGapMs && (
        <Button variant="subtle" size="xs" onClick={() => setText(hoursText(portalGapMs))}>
          Back to {hoursText(portalGapMs)} h
        </Button>
      )}
    </div>
  );
}
