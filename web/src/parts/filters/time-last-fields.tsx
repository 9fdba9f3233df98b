import { spanUnits } from "@fairway/contract/relative-times";
import { NativeSelect, TextInput } from "@mantine/core";
import type { LastDraft } from "./time-range-draft.ts";
import classes from "./filters.module.css";

interface Props {
  /** Undefined while the range is fixed. */
  value: LastDraft | undefined;
  problem: string | undefined;
  onChange: (last: LastDraft) => void;
  onBlur: () => void;
}

/** "Last N minutes, hours, …": a relative range. */
export function LastFields({ value, problem, onChange, onBlur }: Props) {
  const { amount, unit } = value ?? { amount: "", unit: "hours" };
  return (
    <>
      <div className={classes["fields"]} role="group" aria-label="Up to now">
        <TextInput
          label="Last"
          inputMode="numeric"
          placeholder="24"
          value={amount}
          error={problem}
          onChange={(event) => onChange({ amount: event.currentTarget.value, unit })}
          onBlur={onBlur}
          autoComplete="off"
        />
        <NativeSelect
          label="Unit"
          value={unit}
          data={[...spanUnits]}
          onChange={(event) => {
            const chosen = spanUnits.find((candidate) => candidate === event.currentTarget.value);
            if (chosen) onChange({ amount, unit: chosen });
          }}
        />
      </div>
      <p className={classes["hint"]}>Relative to when the search runs, even in saved searches and links.</p>
    </>
  );
}
