import { pluralize } from "@fairway/contract/counts";
import type { FieldFilter, FilterValue } from "@fairway/contract/datasets";
import { calendarWords } from "@fairway/contract/filter-calendar";
import { calendarPart, type CalendarPart, calendarRanges, type MoreOperator } from "@fairway/contract/filters";
import { Box, Flex, NativeSelect, Textarea, TextInput, UnstyledButton } from "@mantine/core";
import { useId } from "react";
import { Select } from "#ui/select.tsx";
import { FilterValueInput } from "./filter-value-input.tsx";
import { zoneNote } from "./filter-value.ts";
import { type FurtherDraft, type Kind, membersOf, offeredOperators } from "./further-draft.ts";
import classes from "./filters.module.css";

interface Props {
  field: FieldFilter;
  kind: Exclude<Kind, "compare">;
  allowed: readonly MoreOperator[];
  draft: FurtherDraft;
  problem: string | undefined;
  /** Of the text that describes the problem. */
  problemId: string;
  onChange: (change: Partial<FurtherDraft>) => void;
  onBlur: () => void;
}

/** Operator and value of a list, range, text or part of the calendar. */
export function FurtherFields({ field, kind, allowed, draft, problem, problemId, onChange, onBlur }: Props) {
  const operators = offeredOperators(kind, allowed);
  const described = problem === undefined ? undefined : problemId;
  return (
    <>
      <Flex gap="sm" mt="md" direction={kind === "text" ? "row" : "column"}>
        <NativeSelect
          label="Operator"
          className={classes["furtherOperator"] ?? ""}
          value={draft.operator ?? operators[0]}
          onChange={(event) => onChange({ operator: operators.find((one) => one === event.currentTarget.value) ?? null })}
          data={[...operators]}
        />
        {kind === "text" && (
          <TextInput
            flex={1}
            miw={0}
            label="Value"
            value={draft.text}
            error={problem !== undefined}
            aria-describedby={described}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => onChange({ text: event.currentTarget.value })}
            onBlur={onBlur}
          />
        )}
        {kind === "list" && <ListField draft={draft} problem={problem} describedBy={described} onChange={onChange} onBlur={onBlur} />}
        {kind === "range" && (
          <Flex gap="sm" direction={{ base: "column", xs: "row" }}>
            <EndField
              field={field}
              label="From"
              value={draft.low}
              problem={problem}
              describedBy={described}
              onChange={(low) => onChange({ low })}
              onBlur={onBlur}
            />
            <EndField
              field={field}
              label="To"
              value={draft.high}
              problem={problem}
              describedBy={described}
              onChange={(high) => onChange({ high })}
              onBlur={onBlur}
            />
          </Flex>
        )}
        {kind === "calendar" && <CalendarFields draft={draft} onChange={onChange} />}
      </Flex>
    </>
  );
}

interface FieldProps {
  draft: FurtherDraft;
  problem: string | undefined;
  describedBy: string | undefined;
  onChange: (change: Partial<FurtherDraft>) => void;
  onBlur: () => void;
}

function ListField({ draft, problem, describedBy, onChange, onBlur }: FieldProps) {
  const count = draft.list.split(/\r?\n/).filter((line) => line.trim() !== "").length;
  return (
    <Textarea
      label="Values"
      description={`One a line, or with commas between them. Quotes keep a comma within a value; the word empty stands for rows without one.${count > 1 ? ` ${pluralize(count, "line")}.` : ""}`}
      inputWrapperOrder={["label", "input", "description", "error"]}
      value={draft.list}
      error={problem !== undefined}
      aria-describedby={describedBy}
      autosize
      minRows={3}
      maxRows={8}
      spellCheck={false}
      autoComplete="off"
      onChange={(event) => onChange({ list: event.currentTarget.value })}
      onBlur={onBlur}
    />
  );
}

interface EndProps {
  field: FieldFilter;
  label: string;
  value: FilterValue;
  problem: string | undefined;
  describedBy: string | undefined;
  onChange: (value: FilterValue) => void;
  onBlur: () => void;
}

function EndField({ field, label, value, problem, describedBy, onChange, onBlur }: EndProps) {
  const id = useId();
  return (
    <Box flex={1} miw={0}>
      <div className={classes["filterDialogLabel"]}>
        <label htmlFor={id}>{label}</label> {zoneNote(field) && <small>{zoneNote(field)}</small>}
      </div>
      <FilterValueInput
        id={id}
        filter={{ ...field, value }}
        problem={problem}
        describedBy={describedBy}
        onChange={(changed) => onChange(changed)}
        onBlur={onBlur}
      />
    </Box>
  );
}

/** The most asked ones first. */
const partLabels: Readonly<Record<CalendarPart, string>> = {
  dayOfWeek: "Day of the week",
  hourOfDay: "Hour",
  monthOfYear: "Month",
  dayOfMonth: "Day of the month",
  weekOfYear: "Week",
  quarterOfYear: "Quarter",
  minuteOfHour: "Minute",
};

function CalendarFields({ draft, onChange }: Pick<FieldProps, "draft" | "onChange">) {
  const { part, zone, members } = draft;
  const { names } = calendarWords[part];
  const [first] = calendarRanges[part];
  const toggle = (number: number) =>
    onChange({ members: members.includes(number) ? members.filter((one) => one !== number) : [...members, number] });
  return (
    <>
      <Flex gap="sm" direction={{ base: "column", xs: "row" }}>
        <NativeSelect
          flex={1}
          label="Part"
          value={part}
          onChange={(event) => onChange({ part: calendarPart.parse(event.currentTarget.value), members: [] })}
          data={(Object.keys(partLabels) as CalendarPart[]).map((value) => ({ value, label: partLabels[value] }))}
        />
        <Box flex={1}>
          <Select
            label="Time zone"
            searchable
            allowDeselect={false}
            selectFirstOptionOnChange
            value={zone}
            onChange={(chosen) => chosen !== null && onChange({ zone: chosen })}
            data={[...new Set(["UTC", zone, ...Intl.supportedValuesOf("timeZone")])]}
            limit={100}
            nothingFoundMessage="No time zone matches"
          />
        </Box>
      </Flex>
      <div role="group" aria-label={partLabels[part]} className={classes["members"]} data-named={names !== undefined || undefined}>
        {membersOf(part).map((number) => (
          <UnstyledButton
            key={number}
            className={classes["member"] ?? ""}
            aria-pressed={members.includes(number)}
            aria-label={names?.[number - first]}
            onClick={() => toggle(number)}
          >
            {names?.[number - first]?.slice(0, 3) ?? number}
          </UnstyledButton>
        ))}
      </div>
    </>
  );
}
