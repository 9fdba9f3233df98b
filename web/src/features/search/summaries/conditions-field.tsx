import type { DatasetDescription } from "@fairway/contract/datasets";
import { type Filter, filter as filterForm } from "@fairway/contract/filters";
import type { SearchFilter } from "@fairway/contract/search";
import { typedFilter } from "@fairway/contract/filter-typed";
import { TextInput } from "@mantine/core";
import { useMemo, useState } from "react";
import { maxTypedCharacters, parseTyped, readConditions, type TypedField, typedFields } from "#parts/filters/typed-filter.ts";
import { likelyMeasures } from "./model/likely-measures.ts";

interface Props {
  description: DatasetDescription;
  label: string;
  /** Whether an empty text is refused. */
  isRequired?: boolean;
  filters: readonly SearchFilter[];
  onChange: (filters: Filter[]) => void;
}

const textOf = (filters: readonly SearchFilter[], fields: readonly TypedField[]): string =>
  filters
    .flatMap((one) => {
      const read = filterForm.safeParse(one);
      return read.success ? [typedFilter(read.data, fields, (_, value) => String(value))] : [];
    })
    .join(" and ");

/** Conditions on rows, typed as in the filter bar: `delay >= 15 and origin in ORD, ATL`. What cannot be read changes nothing. */
export function ConditionsField({ description, label, isRequired = false, filters, onChange }: Props) {
  const fields = useMemo(() => typedFields(description, []), [description]);
  const example = likelyMeasures(description).find((name) => fields.some((field) => field.name === name));
  const [text, setText] = useState(() => textOf(filters, fields));
  const [problem, setProblem] = useState<string | null>(null);
  const read = (typed: string) => {
    setText(typed);
    if (typed.trim() === "") {
      setProblem(isRequired ? "Type a condition." : null);
      onChange([]);
      return;
    }
    const parsed = parseTyped(typed, fields, description);
    const conditions = "problem" in parsed ? parsed : readConditions(description, parsed.filters);
    setProblem("problem" in conditions ? conditions.problem : null);
    if (!("problem" in conditions)) onChange(conditions.filters);
  };
  return (
    <TextInput
      aria-label={label}
      placeholder={example && `${example} >= 15`}
      maxLength={maxTypedCharacters}
      autoComplete="off"
      spellCheck={false}
      value={text}
      error={problem}
      onChange={(event) => read(event.currentTarget.value)}
      onBlur={() => {
        if (isRequired && text.trim() === "") setProblem("Type a condition.");
      }}
      // The condition holds as it is typed; Enter must not save the whole summary.
      onKeyDown={(event) => {
        if (event.key === "Enter") event.preventDefault();
      }}
    />
  );
}
