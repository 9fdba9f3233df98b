import type { Column } from "@fairway/contract/columns";
import { pluralize } from "@fairway/contract/counts";
import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import { type ColumnFacts, sharedWays } from "./column-facts.ts";
import type { ColumnChange } from "./column-moves.ts";
import classes from "./dataset-form.module.css";

interface Props {
  columns: readonly Column[];
  facts: readonly ColumnFacts[];
  onChange: (change: ColumnChange) => void;
  onType: (key: string) => void;
  onClear: () => void;
}

/** Changes of several columns at once. */
export function SelectedColumns({ columns, facts, onChange, onType, onClear }: Props) {
  const [unit, setUnit] = useState("");
  const ways = sharedWays(facts);
  return (
    <div role="group" aria-label="Selected columns" className={classes["selected"]}>
      <b>{`${pluralize(columns.length, "column")} selected`}</b>
      <Button variant="default" size="xs" onClick={() => onChange({ hidden: true })}>
        Hide at first
      </Button>
      <Button variant="default" size="xs" onClick={() => onChange({ hidden: false })}>
        Show at first
      </Button>
      <span className={classes["joined"]}>
        <TextInput size="xs" aria-label="Unit" placeholder="Unit" value={unit} onChange={(event) => setUnit(event.currentTarget.value)} />
        <Button variant="default" size="xs" onClick={() => onChange({ unit: unit.trim() })}>
          Set unit
        </Button>
      </span>
      {ways.length > 0 && (
        <NativeSelect
          size="xs"
          aria-label="Read selected columns as"
          value=""
          data={[{ value: "", label: "Read as …" }, ...ways.map(({ key, label }) => ({ value: key, label }))]}
          onChange={(event) => onType(event.currentTarget.value)}
        />
      )}
      <Button variant="subtle" size="xs" onClick={onClear}>
        Clear selection
      </Button>
    </div>
  );
}
