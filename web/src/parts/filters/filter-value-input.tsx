import type { FieldFilter, FilterValue } from "@fairway/contract/datasets";
import { NativeSelect, TextInput } from "@mantine/core";
import type { InputEvent } from "react";
import { useContext, useRef, useState } from "react";
import { lazyPart } from "#ui/lazy-part.tsx";
import { isNumberType, isTimeType, mayType } from "./filter-value.ts";
import { SuggestionSourceContext } from "./suggestion-source.ts";
import classes from "./filter-field.module.css";

// Few filters are on times, and its calendar brings much along.
const TimeValueInput = lazyPart(async () => ({ default: (await import("./time-value-input.tsx")).TimeValueInput }));

const ValueSuggestions = lazyPart(async () => ({ default: (await import("./value-suggestions.tsx")).ValueSuggestions }));

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
export function FilterValueInput(props: ValueInputProps) {
  const { filter, onChange } = props;
  const source = useContext(SuggestionSourceContext);
  const box = useRef<HTMLDivElement>(null);
  // Null until the field's first use: the suggestions come with it, and leave the field as it is.
  const [use, setUse] = useState<{ input: HTMLInputElement; pointed: boolean } | null>(null);
  const suggests = (filter.type === "STRING" || filter.type === "integer") && source?.description.assists.includes("SUGGESTIONS") === true;
  if (!suggests) return <ValueField {...props} />;
  const begin = (pointed: boolean) => {
    const input = box.current?.querySelector("input");
    if (input && use === null) setUse({ input, pointed });
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- hears of the field within, and does nothing of its own
    <div ref={box} className={classes["suggesting"]} onPointerDown={() => begin(true)} onFocus={() => begin(false)}>
      <ValueField {...props} />
      {use && <ValueSuggestions {...use} source={source} column={filter.name} text={String(filter.value)} onChoose={onChange} />}
    </div>
  );
}

function ValueField({ filter, id, label, problem, describedBy, onChange, onBlur, first = false }: ValueInputProps) {
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
          if (isRefused(event)) event.preventDefault();
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

/** What is pasted is left whole: a problem is reported, rather than another number made of it. */
function isRefused({ currentTarget: { value, selectionStart }, data }: InputEvent<HTMLInputElement>): boolean {
  return data.length === 1 && !mayType(data, value.slice(0, selectionStart ?? value.length));
}
