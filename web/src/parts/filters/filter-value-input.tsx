import type { FieldFilter, FilterValue } from "@fairway/contract/datasets";
import { NativeSelect, TextInput } from "@mantine/core";
import type { InputEvent } from "react";
import { lazyPart } from "#ui/lazy-part.tsx";
import { isNumberType, isTimeType } from "./filter-value.ts";
import { couldBeNumber } from "./number-typing.ts";

// Few filters are on times, and its calendar brings much along.
const TimeValueInput = lazyPart(async () => ({ default: (await import("./time-value-input.tsx")).TimeValueInput }));

export interface ValueInputProps {
  filter: FieldFilter;
  id: string;
  /** The accessible name, where no label points at `id`. */
  label?: string | undefined;
  problem?: string | undefined;
  describedBy?: string | undefined;
  onChange: (value: FilterValue) => void;
  onBlur?: () => void;
  /** Takes the focus when its dialog opens. */
  first?: boolean;
}

/** The input that fits the filter's type. Holds text as it is typed; what is sent is read from it later. */
export function FilterValueInput({ filter, id, label, problem, describedBy, onChange, onBlur, first = false }: ValueInputProps) {
  const { type, value } = filter;
  const common = {
    id,
    "aria-label": label,
    "aria-describedby": describedBy,
    "aria-required": filter.required || undefined,
    error: problem !== undefined,
    onBlur,
    "data-autofocus": first || undefined,
    style: { flex: 1, minWidth: 0 },
  };
  if (type === "BOOLEAN") {
    return (
      <NativeSelect
        {...common}
        value={String(value)}
        onChange={(event) => onChange(event.currentTarget.value)}
        data={[
          { value: "", label: "Any" },
          { value: "true", label: "true" },
          { value: "false", label: "false" },
        ]}
      />
    );
  }
  if (isNumberType(type)) {
    return (
      <TextInput
        {...common}
        value={String(value)}
        onBeforeInput={(event: InputEvent<HTMLInputElement>) => {
          if (!couldBeNumber(typedInto(event), type === "integer")) event.preventDefault();
        }}
        onChange={(event) => onChange(event.currentTarget.value)}
        inputMode={type === "integer" ? "numeric" : "decimal"}
        autoComplete="off"
      />
    );
  }
  if (isTimeType(type)) return <TimeValueInput {...common} filter={filter} onChange={onChange} />;
  return (
    <TextInput
      {...common}
      value={String(value)}
      onChange={(event) => onChange(event.currentTarget.value)}
      autoComplete="off"
      spellCheck={false}
    />
  );
}

/** The field's text as it would be. What is pasted is left whole: a problem is said, rather than another number made of it. */
function typedInto({ currentTarget: { value, selectionStart, selectionEnd }, data }: InputEvent<HTMLInputElement>): string {
  const typed = data.length === 1 ? data : "";
  return typed === "" ? "" : value.slice(0, selectionStart ?? value.length) + typed + value.slice(selectionEnd ?? value.length);
}
