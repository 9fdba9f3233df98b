import type { FieldFilter, FilterValue } from "@fairway/contract/datasets";
import { ActionIcon, NativeSelect, NumberInput, Popover, TextInput } from "@mantine/core";
import { IconCalendar } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import { loadPart } from "#lib/chunk-load.ts";
import { utcText } from "#lib/dates.ts";
import { isNumberType, isTimeType, valueText } from "./filter-value.ts";
import { parseTime } from "./time-input.ts";

const DayCalendar = lazy(() => loadPart("calendar", async () => ({ default: (await import("./time-calendar.tsx")).DayCalendar })));

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

type TimeProps = { filter: FieldFilter; onChange: (value: FilterValue) => void; onBlur?: (() => void) | undefined; error: boolean };

function TimeValueInput({ filter, onChange, onBlur, ...common }: TimeProps) {
  const [picking, setPicking] = useState(false);
  const text = typeof filter.value === "string" && !filter.value.endsWith("Z") ? filter.value : valueText(filter.type, filter.value);
  const epochMs = parseTime(text);
  return (
    <Popover opened={picking} onChange={setPicking} position="bottom-end" trapFocus returnFocus withRoles={false}>
      <Popover.Target>
        <TextInput
          {...common}
          value={text}
          placeholder="MM/DD/YYYY, hh:mm:ss A"
          autoComplete="off"
          onChange={(event) => onChange(event.currentTarget.value)}
          onBlur={() => {
            // What can be read is shown in the product's own format, so that a slip is seen.
            const read = parseTime(text);
            if (read !== undefined) onChange(utcText(read) ?? text);
            onBlur?.();
          }}
          rightSection={
            <ActionIcon
              variant="subtle"
              aria-label={`Choose a day for ${filter.display}`}
              aria-expanded={picking}
              onClick={() => setPicking(!picking)}
            >
              <IconCalendar size={16} aria-hidden />
            </ActionIcon>
          }
        />
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={`Choose a day for ${filter.display}`}>
        <Suspense fallback={null}>
          <DayCalendar
            day={epochMs === undefined ? null : new Date(epochMs).toISOString().slice(0, 10)}
            onChange={(day) => {
              onChange(utcText(parseTime(day) ?? Number.NaN) ?? day);
              setPicking(false);
            }}
          />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}
