import { Button, SegmentedControl, TextInput } from "@mantine/core";
import { useId, useRef } from "react";
import { type CatalogPlace, type Choice, noFilters } from "./catalog-place.ts";
import classes from "./catalog.module.css";

interface Props {
  place: CatalogPlace;
  onChange: (place: CatalogPlace) => void;
}

export function CatalogFilters({ place, onChange }: Props) {
  const isFiltering = Object.entries(place).some(([key, value]) => value !== noFilters[key as keyof CatalogPlace]);
  const first = useRef<HTMLInputElement>(null);
  return (
    <form className={classes["filters"]} aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
      <TextInput
        ref={first}
        label="Dataset name"
        placeholder="Such as storm"
        value={place.name}
        maxLength={1_000}
        data-page-filter
        onChange={(event) => onChange({ ...place, name: event.currentTarget.value })}
      />
      <TextInput
        label="Column name"
        placeholder="Such as latitude"
        value={place.column}
        maxLength={1_000}
        onChange={(event) => onChange({ ...place, column: event.currentTarget.value })}
      />
      <ChoiceFilter label="Contains location" value={place.location} onChange={(location) => onChange({ ...place, location })} />
      <ChoiceFilter label="Supports map view" value={place.map} onChange={(map) => onChange({ ...place, map })} />
      {isFiltering && (
        <Button
          variant="subtle"
          size="compact-sm"
          className={classes["reset"]}
          onClick={() => {
            onChange(noFilters);
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
