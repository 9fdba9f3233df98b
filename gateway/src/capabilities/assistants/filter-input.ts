import { isTimestamp, type Operator, operator } from "@fairway/contract/columns";
import { type DatasetDescription, filterValue, type FilterValue } from "@fairway/contract/datasets";
import { alternativesName, calendarPart, filterLimits, moreOperator, type MoreOperator } from "@fairway/contract/filters";
import type { SearchFilter } from "@fairway/contract/search";
import { z } from "zod";
import { Refusal } from "#http/refusal.ts";
import { columnOf } from "./columns.ts";
import { epochOf, isoOf } from "./times.ts";

const meanings: Readonly<Record<Operator, string>> = {
  "=": "equal to the value",
  "<>": "different from the value or empty",
  "<": "less than the value or before it",
  "<=": "at most the value",
  ">": "more than the value or after it",
  ">=": "at least the value",
};
const further =
  "in and between take lists of values (between: two ends, both included; in: null stands for empty cells), contains and starts with a text whose case is ignored, when on a time column members of the calendar, and each of them with not before it the opposite.";
const operatorWords = `${operator.options.map((sign) => `${sign} finds cells ${meanings[sign]}`).join("; ")}; ${further}`;

const listed = filterValue.nullable();
const calendarInput = z
  .strictObject({
    part: calendarPart,
    zone: z.string().min(1).max(filterLimits.zoneCharacters).default("UTC").describe("A zone such as America/New_York."),
    in: z.array(z.int()).min(1).max(60).describe("Numbers of the part; dayOfWeek is 1 for Monday."),
  })
  .describe('For when: {"part": "dayOfWeek", "in": [6, 7]} is Saturday and Sunday.');

const plainOperator = z.enum([...operator.options, ...moreOperator.exclude(["any"]).options]);
type PlainOperator = z.output<typeof plainOperator>;

const filterShape = z.strictObject({
  column: z.string().min(1),
  operator: plainOperator.describe(operatorWords),
  value: z
    .union([listed, z.array(listed).min(1).max(filterLimits.listValues), calendarInput], {
      error: 'is neither a value, nor a list of values, nor a part of the calendar such as {"part": "dayOfWeek", "in": [6, 7]}',
    })
    .describe("null with = finds empty cells, with <> filled ones. For a time column ISO 8601 in UTC."),
});
type Given = z.output<typeof filterShape>["value"];

const isList = (value: Given): value is (FilterValue | null)[] => Array.isArray(value);
const isOne = (value: Given): boolean => value === null || typeof value !== "object";

const forms = {
  one: { isOf: isOne, text: "one value" },
  list: { isOf: isList, text: 'a list of values, such as ["ORD", "ATL"]' },
  range: {
    isOf: (value: Given) => isList(value) && value.length === 2 && !value.includes(null),
    text: "a list of two values, its low and its high end",
  },
  text: { isOf: (value: Given) => typeof value === "string" && value !== "", text: "a text" },
  calendar: {
    isOf: (value: Given) => !isOne(value) && !isList(value),
    text: 'members of the calendar, such as {"part": "dayOfWeek", "in": [6, 7]}',
  },
};

const formOf: Readonly<Record<PlainOperator, keyof typeof forms>> = {
  "=": "one",
  "<>": "one",
  "<": "one",
  "<=": "one",
  ">": "one",
  ">=": "one",
  in: "list",
  "not in": "list",
  between: "range",
  "not between": "range",
  contains: "text",
  "not contains": "text",
  "starts with": "text",
  "not starts with": "text",
  when: "calendar",
  "not when": "calendar",
};

const checkForm = ({ operator: sign, value }: z.output<typeof filterShape>, context: z.RefinementCtx): void => {
  const { isOf, text } = forms[formOf[sign]];
  if (!isOf(value)) context.addIssue({ code: "custom", path: ["value"], message: `${sign} takes ${text}` });
};

/** One definition of each tool, to which its fields refer: the list of tools is part of every conversation. */
const plainFilter = filterShape.superRefine(checkForm).meta({ id: "filter" });

/** Filters as assistants write them. */
export const filtersInput = z
  .array(plainFilter)
  .max(50)
  .default([])
  .describe(
    "Conditions on columns, all of which have to match. Text is compared exactly and is case-sensitive, except by contains and starts with.",
  );

/** Filters of a part of a tool's input. */
export const furtherFilters = z.array(plainFilter).min(1).max(filterLimits.filtersPerAlternative);

/** Alternatives besides the filters. */
export const anyOfInput = z
  .array(furtherFilters)
  .min(filterLimits.alternatives.least)
  .max(filterLimits.alternatives.most)
  .optional()
  .describe("Besides filters, every filter of at least one of these lists has to match.");

export type FilterInput = z.output<typeof filterShape>;

/** The filters of a search. Refuses a column that the dataset does not have, and times that are none. */
export function filtersOf(
  { filters, any_of: anyOf }: { readonly filters: readonly FilterInput[]; readonly any_of?: z.output<typeof anyOfInput> },
  description: DatasetDescription,
): SearchFilter[] {
  const plain = filters.map((one) => filterOf(one, description));
  if (anyOf === undefined) return plain;
  if (!description.moreOperators.includes("any" satisfies MoreOperator)) {
    throw new Refusal("not-supported", "This dataset takes no alternatives: its service combines all filters.", { path: "any_of" });
  }
  return [...plain, { name: alternativesName, operator: "any", value: anyOf.map((list) => list.map((one) => filterOf(one, description))) }];
}

/** Read as one filter of a search, whose value holds no further filters. */
function filterOf({ column: name, operator: sign, value }: FilterInput, description: DatasetDescription) {
  const column = columnOf(description, name);
  if (!isTimestamp(column.type)) return { name, operator: sign, value };
  const timeOf = (one: FilterValue | null) => (typeof one === "string" ? timeValue(one, name, column.type === "TIMESTAMP_MILLS") : one);
  if (isList(value)) return { name, operator: sign, value: value.map(timeOf) };
  if (formOf[sign] === "text" || typeof value === "object") return { name, operator: sign, value };
  return { name, operator: sign, value: timeOf(value) };
}

function timeValue(text: string, name: string, isInMs: boolean): FilterValue {
  const epochMs = epochOf(text);
  if (Number.isNaN(epochMs)) throw new Refusal("invalid-value", `'${text}' is not an ISO 8601 time, which the column '${name}' needs.`);
  if (isInMs) return epochMs;
  // A fraction of a second lies between two values of the column: rounded, the comparison would be another one.
  return epochMs % 1_000 === 0 ? epochMs / 1_000 : isoOf(epochMs);
}
