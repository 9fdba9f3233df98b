import { pluralize } from "@fairway/contract/counts";
import { type ColumnType, columnTypeName, isTimestamp, type Operator } from "@fairway/contract/columns";
import type { TypingStage } from "@fairway/contract/filter-typing";
import { calendarWords } from "@fairway/contract/filter-calendar";
import { columnText, listItemText, quoteIfNeeded } from "@fairway/contract/filter-writing";
import { type MoreOperator, moreOperator } from "@fairway/contract/filters";
import { isDayFilter, isTimeType, zoneNote } from "./filter-value.ts";
import type { TypedField } from "./typed-filter.ts";

/** A text that may follow the typed one. */
export interface Option {
  readonly label: string;
  readonly note?: string | undefined;
  readonly detail: string;
  /** The text of the field once it is chosen. */
  readonly text: string;
  /** Choosing it adds the filter. */
  readonly adds?: boolean;
}

export const unitOf = (field: TypedField): string | undefined => field.unit ?? zoneNote(field);

const typeText = ({ type, day }: TypedField): string =>
  type === "number"
    ? "Number"
    : isDayFilter({ type, day })
      ? "Date"
      : isTimestamp(type)
        ? "Date and time"
        : columnTypeName[type satisfies ColumnType];

const operatorWords: Readonly<Record<Operator, readonly [words: string, ofTimes?: string]>> = {
  "=": ["equal to"],
  "<>": ["not equal to"],
  "<": ["less than", "before"],
  "<=": ["at most", "until"],
  ">": ["more than", "after"],
  ">=": ["at least", "from"],
};

const moreOperatorWords: Readonly<Record<Exclude<MoreOperator, "any">, string>> = {
  in: "one of several values",
  "not in": "none of several values",
  between: "from one value to another",
  "not between": "below one value or above another",
  contains: "a text within the value",
  "not contains": "no such text within the value",
  "starts with": "a text at the start",
  "not starts with": "no such text at the start",
  when: "days, months or hours",
  "not when": "other days, months or hours",
};

/** Options that can follow the typed text. */
export function optionsOf(
  stage: TypingStage<TypedField>,
  text: string,
  fields: readonly TypedField[],
  values: readonly { readonly value: string; readonly rows: number | null }[],
): readonly Option[] {
  if (stage.kind === "done") return [];
  const before = text.slice(0, stage.from);
  const typed = stage.typed.trim().toLowerCase();
  if (stage.kind === "column") {
    const textsOf = ({ name, label }: TypedField) => (label === undefined ? [name] : [name, label]).map((one) => one.toLowerCase());
    const starting = fields.filter((field) => textsOf(field).some((one) => one.startsWith(typed)));
    const containing = fields.filter((field) => !starting.includes(field) && textsOf(field).some((one) => one.includes(typed)));
    return [...starting, ...containing].map((field) => ({
      label: field.name,
      note: unitOf(field),
      detail: field.label === undefined ? typeText(field) : `${field.label}, ${typeText(field)}`,
      text: `${before}${columnText(field.name)} `,
    }));
  }
  if (stage.kind === "operator") return operatorOptions(stage.field, before, typed);
  return valueOptions(stage, before, typed, values);
}

function operatorOptions(field: TypedField, before: string, typed: string): Option[] {
  const signs = field.operators.map((sign) => {
    const [words, ofTimes = words] = operatorWords[sign];
    return { label: sign, detail: isTimeType(field.type) ? ofTimes : words, text: `${before}${sign} ` };
  });
  const empty = field.canBeEmpty
    ? ["is empty", "is not empty"].map((label) => ({
        label,
        detail: label === "is empty" ? "rows without a value" : "rows with a value",
        text: `${before}${label}`,
      }))
    : [];
  const further = moreOperator.options.flatMap((one) =>
    one === "any" || !field.moreOperators.includes(one) ? [] : [{ label: one, detail: moreOperatorWords[one], text: `${before}${one} ` }],
  );
  // The negative ones come once "not" is begun: all of them at once are more than one reads.
  return [...signs, ...empty, ...further]
    .filter(({ label }) => label.startsWith(typed.replaceAll(/\s+/g, " ")))
    .filter(({ label }) => typed !== "" || !label.startsWith("not "));
}

const takesItems = new Set<string>(["in", "not in", "between", "not between"]);

function valueOptions(
  { field, operator, typed: asTyped, before: others }: Extract<TypingStage<TypedField>, { kind: "value" }>,
  before: string,
  typed: string,
  values: readonly { readonly value: string; readonly rows: number | null }[],
): Option[] {
  if (operator === "when" || operator === "not when") return calendarOptions(before, asTyped);
  const isList = operator === "in" || operator === "not in";
  const offered =
    field.type === "BOOLEAN"
      ? ["true", "false"].filter((value) => value.startsWith(typed) && value !== typed).map((value) => ({ value, detail: "" }))
      : values.map(({ value, rows }) => ({ value, detail: rows === null ? "" : pluralize(rows, "row") }));
  const empty =
    isList && field.canBeEmpty && typed !== "" && "empty".startsWith(typed) && typed !== "empty"
      ? [{ label: "empty", detail: "rows without a value", text: `${before}empty` }]
      : [];
  const taken = new Set(isList ? others : []);
  const quote = takesItems.has(operator) ? listItemText : quoteIfNeeded;
  return [
    ...offered
      .filter(({ value }) => !taken.has(value))
      .map(({ value, detail }) => ({ label: value, detail, text: `${before}${quote(value)}` })),
    ...empty,
  ];
}

/** Names of days and months, and the parts that have numbers. */
function calendarOptions(before: string, typed: string): Option[] {
  const items = typed.split(",");
  const last = (items.at(-1) ?? "").trim();
  const kept = typed.slice(0, typed.length - last.length);
  const chosen = items.slice(0, -1).map((item) => item.trim().toLowerCase());
  const { dayOfWeek, monthOfYear } = calendarWords;
  const [days, months] = [dayOfWeek.names ?? [], monthOfYear.names ?? []];
  const names = [
    ...days.map((label) => ({ label, detail: "day of the week", end: "" })),
    ...months.map((label) => ({ label, detail: "month", end: "" })),
  ].filter(({ detail }) => chosen.length === 0 || (detail === "month") === months.some((month) => month.toLowerCase() === chosen[0]));
  const parts =
    items.length > 1
      ? []
      : Object.values(calendarWords).flatMap(({ word, names: own }) =>
          own ? [] : [{ label: word, detail: `${word}s by number`, end: " " }],
        );
  const begun = last.toLowerCase();
  return [...names, ...parts]
    .filter(({ label }) => label.toLowerCase().startsWith(begun) && label.toLowerCase() !== begun && !chosen.includes(label.toLowerCase()))
    .map(({ label, detail, end }) => ({ label, detail, text: `${before}${kept}${label}${end}` }));
}
