import { Button, SegmentedControl, TextInput } from "@mantine/core";
import { useId, useRef } from "react";
import { type CatalogView, type Choice, isFiltered } from "./catalog-view.ts";
import classes from "./list.module.css";

interface Props {
  view: CatalogView;
  onChange: (view: CatalogView) => void;
  onReset: () => void;
  /** On a phone, they are hidden otherwise. */
  isOpen: boolean;
  id: string;
}

export function CatalogFilters({ view, onChange, onReset, isOpen, id }: Props) {
  const first = useRef<HTMLInputElement>(null);
  return (
    <form
      id={id}
      data-open={isOpen || undefined}
      className={classes["filters"]}
      aria-label="Filters"
      onSubmit={(event) => event.preventDefault()}
    >
      <TextInput
        ref={first}
        label="Dataset name"
        placeholder="Such as storm"
        value={view.name}
        maxLength={1_000}
        onChange={(event) => onChange({ ...view, name: event.currentTarget.value })}
      />
      <TextInput
        label="Column name"
        placeholder="Such as latitude"
        value={view.column}
        maxLength={1_000}
        onChange={(event) => onChange({ ...view, column: event.currentTarget.value })}
      />
      <ChoiceFilter label="Contains location" value={view.location} onChange={(location) => onChange({ ...view, location })} />
      <ChoiceFilter label="Supports map view" value={view.map} onChange={(map) => onChange({ ...view, map })} />
      {isFiltered(view) && (
        <Button
          variant="subtle"
          size="compact-sm"
          className={classes["reset"]}
          onClick={() => {
            onReset();
            first.current?.focus();
          }}
        >
          Reset Filters
        </Button>
      )}
    </form>
  );
}

const choices: { value: Choice; label: string }[] = [
  { value: "any", label: "Any" },
  { value: "yes", label: "Yes" },
  { value: "no", label: "No" },
];

function ChoiceFilter({ label, value, onChange }: { label: string; value: Choice; onChange: (value: Choice) => void }) {
  const id = useId();
  return (
    <div className={classes["choice"]}>
      <span id={id}>{label}</span>
      <SegmentedControl aria-labelledby={id} fullWidth data={choices} value={value} onChange={onChange} />
    </div>
  );
}
