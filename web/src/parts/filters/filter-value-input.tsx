import type { FieldFilter, FilterValue } from "@fairway/contract/datasets";
import { NativeSelect, NumberInput, TextInput } from "@mantine/core";
import { lazyPart } from "#ui/lazy-part.tsx";
import { isNumberType, isTimeType } from "./filter-value.ts";

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
      <NumberInput
        {...common}
        value={value === "" ? "" : String(value)}
        onChange={(number) => onChange(typeof number === "string" ? number : String(number))}
        allowDecimal={type !== "integer"}
        inputMode={type === "integer" ? "numeric" : "decimal"}
        hideControls
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
