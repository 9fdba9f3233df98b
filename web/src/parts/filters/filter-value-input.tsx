import type { FieldFilter, FilterValue } from "@fairway/contract/datasets";
import { ActionIcon, NativeSelect, TextInput } from "@mantine/core";
import { IconX } from "#ui/icons/x.ts";
import type { InputEvent } from "react";
import { useContext, useRef, useState } from "react";
import { describedBy } from "#ui/described-by.ts";
import classes from "./filters.module.css";
import { isNumberType, isTimeType, canType } from "./filter-value.ts";
import { SuggestionSourceContext, withoutEdited } from "./suggestion-source.ts";
import { TimeValueInput } from "./time-value-input.tsx";
import { ValueSuggestions } from "./value-suggestions.tsx";

// Few filters are on times, and the calendar is large.

export interface ValueInputProps {
  filter: FieldFilter;
  id: string;
  /** The accessible name, when no label refers to `id`. */
  label?: string | undefined;
  problem?: string | undefined;
  describedBy?: string | undefined;
  onChange: (value: FilterValue) => void;
  onBlur?: () => void;
  /** Receives focus when the dialog opens. */
  hasInitialFocus?: boolean;
}

/** The input for the filter's type. It holds the text as typed; the text is parsed when the search is sent. */
export function FilterValueInput(props: ValueInputProps) {
  return props.filter.value === null ? <EmptyValue {...props} /> : <EnteredValue {...props} />;
}

/** Stands for rows without a value, until a value is entered instead. */
function EmptyValue({ filter, id, label, describedBy: descriptionId, onChange }: ValueInputProps) {
  return (
    <TextInput
      id={id}
      aria-label={label}
      ref={describedBy(descriptionId)}
      value="empty"
      readOnly
      style={{ flex: 1, minWidth: 0 }}
      rightSection={
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Enter a value of ${filter.display}`}
          onClick={() => {
            onChange("");
            requestAnimationFrame(() => document.getElementById(id)?.focus());
          }}
        >
          <IconX size={16} aria-hidden />
        </ActionIcon>
      }
    />
  );
}

function EnteredValue(props: ValueInputProps) {
  const { filter, onChange } = props;
  const source = useContext(SuggestionSourceContext);
  const box = useRef<HTMLDivElement>(null);
  // Null until the field is first used: the suggestions load then, without remounting the field.
  const [activation, setActivation] = useState<{ input: HTMLInputElement; byPointer: boolean } | null>(null);
  const hasSuggestions =
    (filter.type === "STRING" || filter.type === "integer") && source?.description.assists.includes("SUGGESTIONS") === true;
  if (!hasSuggestions) return <ValueField {...props} />;
  const activate = (byPointer: boolean) => {
    const input = box.current?.querySelector("input");
    if (input && activation === null) setActivation({ input, byPointer });
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- observes events of the field inside
    <div ref={box} className={classes["suggesting"]} onPointerDown={() => activate(true)} onFocus={() => activate(false)}>
      <ValueField {...props} />
      {activation && (
        <ValueSuggestions
          {...activation}
          source={withoutEdited(source, filter.id)}
          column={filter.name}
          text={String(filter.value)}
          onChoose={onChange}
        />
      )}
    </div>
  );
}

function ValueField({
  filter,
  id,
  label,
  problem,
  describedBy: descriptionId,
  onChange,
  onBlur,
  hasInitialFocus = false,
}: ValueInputProps) {
  const { type, value } = filter;
  const common = {
    id,
    "aria-label": label,
    ref: describedBy(descriptionId),
    "aria-required": filter.required || undefined,
    error: problem !== undefined,
    onBlur,
    "data-autofocus": hasInitialFocus || undefined,
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

/** Refuses single characters only. Pasted text stays as it is, so a problem is reported instead of changing the number. */
function isRefused({ currentTarget: { value, selectionStart }, data }: InputEvent<HTMLInputElement>): boolean {
  return data.length === 1 && !canType(data, value.slice(0, selectionStart ?? value.length));
}
