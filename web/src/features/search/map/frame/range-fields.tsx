import { TextInput } from "@mantine/core";
import { useState } from "react";
import type { ValueRange } from "#features/search/map/model/scale-limits.ts";
import { numberOf, plainText } from "#parts/map-look/rows-look.ts";
import classes from "./scale-legend.module.css";

interface Props {
  range: ValueRange;
  onChange: (range: ValueRange) => void;
}

/** The ends of a typed range. Applied while both are numbers in order. */
export function RangeFields({ range, onChange }: Props) {
  const [texts, setTexts] = useState({ low: plainText(range.low), high: plainText(range.high) });
  const [low, high] = [numberOf(texts.low), numberOf(texts.high)];
  const isReversed = low !== null && high !== null && low >= high;
  const type = (changed: Partial<typeof texts>) => {
    const next = { ...texts, ...changed };
    setTexts(next);
    const [first, last] = [numberOf(next.low), numberOf(next.high)];
    if (first !== null && last !== null && first < last) onChange({ low: first, high: last });
  };
  return (
    <div className={classes["range"]}>
      <TextInput
        label="Low"
        inputMode="decimal"
        autoComplete="off"
        value={texts.low}
        error={low === null ? "Enter a number." : undefined}
        onChange={(event) => type({ low: event.currentTarget.value })}
      />
      <TextInput
        label="High"
        inputMode="decimal"
        autoComplete="off"
        value={texts.high}
        error={high === null ? "Enter a number." : isReversed ? "Enter a number above the low end." : undefined}
        onChange={(event) => type({ high: event.currentTarget.value })}
      />
    </div>
  );
}
