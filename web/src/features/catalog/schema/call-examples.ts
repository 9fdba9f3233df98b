import { apiBase } from "@fairway/contract/api";
import { apiKeyHeader } from "@fairway/contract/api-keys";
import { isNumeric } from "@fairway/contract/columns";
import type { DatasetProfile } from "@fairway/contract/dataset-profiles";
import type { DatasetDescription, DatasetRef, FieldFilter } from "@fairway/contract/datasets";
import { search, type SearchDataDraft, type SearchFilter } from "@fairway/contract/search";
import { fillGuide, shellQuoted } from "#parts/tool-guides/guide-text.ts";

export interface Known {
  description: DatasetDescription;
  /** Undefined while it is not known. */
  profile: DatasetProfile | undefined;
}

const dayOf = (epochMs: number): string => new Date(epochMs).toISOString().slice(0, 10);

interface Condition extends SearchFilter {
  /** The value is of the right type, but not one of the dataset's. */
  isPlaceholder: boolean;
}

type Field = Pick<FieldFilter, "name" | "type"> & Partial<Pick<FieldFilter, "value" | "operator">>;

/** A condition with a default, frequent or least value of the field, or a placeholder if none is known. */
function conditionOf({ name, type, value, operator = "=" }: Field, { description: { timeExtent }, profile }: Known): Condition {
  const isNumber = type === "number" || isNumeric(type);
  const { top = [], min = null } = profile?.columns.find((column) => column.name === name) ?? {};
  const day = timeExtent ? dayOf(timeExtent.startMs) : null;
  const measured = isNumber || type === "STRING" ? [top[0]?.value, min] : [type === "BOOLEAN" ? "true" : day];
  const example = [value, ...measured].find((one) => (isNumber ? typeof one === "number" : typeof one === "string" && one.trim() !== ""));
  const placeholder = isNumber ? 1 : type === "STRING" ? "VALUE" : "2024-01-01";
  return { name, operator, value: example ?? placeholder, isPlaceholder: example === undefined };
}

/** Names and values of the dataset, for conditions of an example. */
function conditionsOf(known: Known) {
  const { filterSupport, schema, timeExtent } = known.description;
  const plain = schema.columns.filter(({ combined }) => combined === null);
  const alternatives = filterSupport.requiredOrFields ?? [];
  const times = filterSupport.supportsTimeRange && timeExtent ? { start: timeExtent.startMs, end: timeExtent.endMs } : null;
  // The parameters of an external dataset are not always columns of it. Alternatives take precedence over required filters.
  const wanted =
    alternatives.length > 0
      ? alternatives
      : filterSupport.staticFilters.filter(({ required, preFilled }) => required && !preFilled).map(({ name }) => name);
  const offered: readonly Field[] = [...filterSupport.staticFilters, ...filterSupport.additionalFilters, ...plain];
  const fields = wanted.flatMap((name) => offered.find((field) => field.name === name) ?? []);
  const alternative = fields.find(({ type }) => type === "STRING") ?? fields[0];
  // A time range is one of the filters that satisfy `requiredOrFields`.
  const requiredFields = alternatives.length === 0 ? fields : times || !alternative ? [] : [alternative];
  const required = requiredFields.map((field) => conditionOf(field, known));
  const allowed = new Set([...filterSupport.staticFilters, ...filterSupport.additionalFilters].map(({ name }) => name));
  const usable = plain.filter(({ name }) => filterSupport.supportsAdvancedFiltering || allowed.has(name) || wanted.includes(name));
  const text = usable.find(({ name, type }) => wanted.includes(name) && type === "STRING") ?? usable.find(({ type }) => type === "STRING");
  const number = usable.find(({ name, type }) => isNumeric(type) && !requiredFields.some((field) => field.name === name));
  const { min, max } = known.profile?.columns.find(({ name }) => name === number?.name) ?? {};
  return {
    required,
    /** Replacement for a guide's condition on a text. */
    texts: required.length === 0 && text ? [conditionOf({ name: text.name, type: text.type }, known)] : required,
    number: number && { name: number.name, range: typeof min === "number" && typeof max === "number" ? { min, max } : null },
    times,
  };
}

/** Names of the conditions of an example whose values its reader has to replace. */
export const placeholdersIn = (example: string, known: Known): string[] =>
  conditionsOf(known)
    .texts.filter(({ name, isPlaceholder }) => isPlaceholder && example.includes(JSON.stringify(name)))
    .map(({ name }) => name);

/** A search that the dataset accepts, by values of its own, and what its reader has to replace. */
export interface ExampleSearch {
  readonly filters: readonly SearchFilter[];
  readonly times: { readonly startMs: number; readonly endMs: number } | null;
  /** Names of filters whose values are none of the dataset's. */
  readonly placeholders: readonly string[];
}

/**
 * Every required filter. `some`: within all times, to show how they are named; `all`: everything that the dataset gives at once.
 */
export function exampleSearch(known: Known, rows: "some" | "all"): ExampleSearch {
  const { required: filters, times } = conditionsOf(known);
  // Where one of several filters is required, the times are one of them.
  const needsTimes = rows === "some" || (known.description.filterSupport.requiredOrFields ?? []).length > 0;
  return {
    filters: filters.map(({ name, operator, value }) => ({ name, operator, value })),
    times: needsTimes && times ? { startMs: times.start, endMs: times.end } : null,
    placeholders: filters.filter(({ isPlaceholder }) => isPlaceholder).map(({ name }) => name),
  };
}

/** A search with curl. The key is in a variable, so that the command can be shared. */
export function curlExample(dataset: DatasetRef, known: Known, origin: string): string {
  const { required, times } = conditionsOf(known);
  const path = search.run.path
    .replace(":category", () => encoded(dataset.datasetCategory))
    .replace(":datasetId", () => encoded(dataset.datasetId));
  const body: SearchDataDraft = {
    ...(known.description.features.includes("PAGINATION") ? { paging: { offset: 0, max: 10 } } : {}),
    ...(times ? { timeRange: { start: new Date(times.start).toISOString(), end: new Date(times.end).toISOString() } } : {}),
    filters: required.map(({ name, operator, value }) => ({ name, operator, value })),
  };
  return [
    `curl --fail-with-body ${shellQuoted(`${origin}${apiBase}${path}`)}`,
    `  --header "${apiKeyHeader}: $FAIRWAY_API_KEY"`,
    `  --header 'content-type: application/json'`,
    `  --data ${shellQuoted(JSON.stringify(body))}`,
  ].join(" \\\n");
}

const encoded = (part: string): string => encodeURIComponent(part).replaceAll("'", "%27");

/**
 * The example of a client's guide with names of this dataset: how to connect, and a search with conditions. Null if the guide
 * has no such example.
 */
export function guideExample(guide: string, dataset: DatasetRef, known: Known, origin: string): string | null {
  const [first, second] = codeBlocks(fillGuide(guide, origin, dataset).split("## First search")[1]?.split("\n## ")[0] ?? "");
  if (first === undefined || second === undefined) return null;
  // Without the loops, which list all datasets and read one without conditions.
  const connect = first.split(/\n\n+/).filter((paragraph) => !/^for\b/.test(paragraph));
  const { texts, number, times } = conditionsOf(known);
  const values: Readonly<Record<string, string>> = {
    NUMBER: JSON.stringify(number?.name),
    ...(times ? { "2024-01-01": JSON.stringify(dayOf(times.start)), "2024-01-31": JSON.stringify(dayOf(times.end)) } : {}),
  };
  const conditions = second
    .split("\n")
    .filter((line) => times !== null || !/2024-01-/.test(line))
    .filter((line) => known.description.assists.includes("SORTING") || !/^\s*sort\b/.test(line))
    .flatMap((line) =>
      line.includes("COLUMN") || line.includes("NUMBER")
        ? withColumns(line, texts.length > 0, line.includes('">="') ? Boolean(number?.range) : number !== undefined)
        : [line],
    )
    .map((line) =>
      line
        .replaceAll(/"?\bCOLUMN\b"?: "value"|"?\bNUMBER\b"?|"2024-01-(?:01|31)"/g, (all) =>
          all.includes("COLUMN") ? texts.map(conditionText).join(", ") : (values[all.replaceAll('"', "")] ?? all),
        )
        .replace(/">=": 10, "<": 20/, () => `">=": ${number?.range?.min}, "<": ${number?.range?.max}`),
    );
  return [...connect, conditions.join("\n")].join("\n\n");
}

/** A condition as both clients write it. */
const conditionText = ({ name, operator, value }: Condition): string =>
  `${JSON.stringify(name)}: ${operator === "=" ? JSON.stringify(value) : `{ ${JSON.stringify(operator)}: ${JSON.stringify(value)} }`}`;

/** A line of conditions without those that the dataset has no column for; nothing if none is left. */
function withColumns(line: string, hasText: boolean, hasNumber: boolean): string[] {
  if (!line.includes("COLUMN")) return hasNumber ? [line] : [];
  if (!hasText && !hasNumber) return [];
  const withoutText = hasText ? line : line.replace(/"?COLUMN"?: "value",? ?/, "");
  return [hasNumber ? withoutText : withoutText.replace(/,? ?"?NUMBER"?: \{[^}]*\}/, "")];
}

const codeBlocks = (markdown: string): string[] => [...markdown.matchAll(/```\w*\n([\s\S]*?)\n```/g)].map(([, code = ""]) => code);
