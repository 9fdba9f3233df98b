import { apiBase } from "@fairway/contract/api";
import { apiKeyHeader } from "@fairway/contract/api-keys";
import { isNumeric } from "@fairway/contract/columns";
import type { DatasetProfile } from "@fairway/contract/dataset-profiles";
import type { DatasetDescription, DatasetRef } from "@fairway/contract/datasets";
import { search, type SearchDataDraft } from "@fairway/contract/search";
import { fillGuide, shellQuoted } from "#parts/tool-guides/guide-text.ts";

interface Known {
  description: DatasetDescription;
  /** Undefined while it is not known. */
  profile: DatasetProfile | undefined;
}

const dayOf = (epochMs: number): string => new Date(epochMs).toISOString().slice(0, 10);

/** Names and values of the dataset, for conditions of an example. */
function conditionsOf({ description: { filterSupport, schema, timeExtent }, profile }: Known) {
  const plain = schema.columns.filter(({ combined }) => combined === null);
  const wanted = [
    ...filterSupport.staticFilters.filter(({ required }) => required).map(({ name }) => name),
    ...(filterSupport.requiredOrFields ?? []),
  ];
  const allowed = new Set([...filterSupport.staticFilters, ...filterSupport.additionalFilters].map(({ name }) => name));
  const usable = plain.filter(({ name }) => filterSupport.supportsAdvancedFiltering || allowed.has(name) || wanted.includes(name));
  const text = usable.find(({ name, type }) => wanted.includes(name) && type === "STRING") ?? usable.find(({ type }) => type === "STRING");
  const number = usable.find(({ type }) => isNumeric(type));
  const columnProfile = (name: string | undefined) => profile?.columns.find((column) => column.name === name);
  const { min, max } = columnProfile(number?.name) ?? {};
  return {
    text: text && { name: text.name, value: String(columnProfile(text.name)?.top[0]?.value ?? "VALUE") },
    number: number && { name: number.name, range: typeof min === "number" && typeof max === "number" ? { min, max } : null },
    times: filterSupport.supportsTimeRange && timeExtent ? { start: timeExtent.startMs, end: timeExtent.endMs } : null,
    isRequired: wanted.length > 0,
  };
}

/** A search with curl. The key is in a variable, so that the command can be shared. */
export function curlExample(dataset: DatasetRef, known: Known, origin: string): string {
  const { text, times, isRequired } = conditionsOf(known);
  // A time range is one of the filters that satisfy `requiredOrFields`.
  const isAlternative = (known.description.filterSupport.requiredOrFields ?? []).length > 0;
  const path = search.run.path
    .replace(":category", () => encoded(dataset.datasetCategory))
    .replace(":datasetId", () => encoded(dataset.datasetId));
  const body: SearchDataDraft = {
    ...(known.description.features.includes("PAGINATION") ? { paging: { offset: 0, max: 10 } } : {}),
    ...(times ? { timeRange: { start: new Date(times.start).toISOString(), end: new Date(times.end).toISOString() } } : {}),
    filters: isRequired && text && !(times && isAlternative) ? [{ name: text.name, operator: "=", value: text.value }] : [],
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
  const { text, number, times } = conditionsOf(known);
  const values: Readonly<Record<string, string>> = {
    COLUMN: JSON.stringify(text?.name),
    NUMBER: JSON.stringify(number?.name),
    value: JSON.stringify(text?.value),
    ...(times ? { "2024-01-01": JSON.stringify(dayOf(times.start)), "2024-01-31": JSON.stringify(dayOf(times.end)) } : {}),
  };
  const conditions = second
    .split("\n")
    .filter((line) => times !== null || !/2024-01-/.test(line))
    .filter((line) => known.description.assists.includes("SORTING") || !/^\s*sort\b/.test(line))
    .flatMap((line) =>
      line.includes("COLUMN") || line.includes("NUMBER")
        ? withColumns(line, text !== undefined, line.includes('">="') ? Boolean(number?.range) : number !== undefined)
        : [line],
    )
    .map((line) =>
      line
        .replaceAll(
          /"?\b(COLUMN|NUMBER)\b"?|"(value|2024-01-01|2024-01-31)"/g,
          (all, name?: string, value?: string) => values[name ?? value ?? ""] ?? all,
        )
        .replace(/">=": 10, "<": 20/, () => `">=": ${number?.range?.min}, "<": ${number?.range?.max}`),
    );
  return [...connect, conditions.join("\n")].join("\n\n");
}

/** A line of conditions without those that the dataset has no column for; nothing if none is left. */
function withColumns(line: string, hasText: boolean, hasNumber: boolean): string[] {
  if (!line.includes("COLUMN")) return hasNumber ? [line] : [];
  if (!hasText && !hasNumber) return [];
  const withoutText = hasText ? line : line.replace(/"?COLUMN"?: "value",? ?/, "");
  return [hasNumber ? withoutText : withoutText.replace(/,? ?"?NUMBER"?: \{[^}]*\}/, "")];
}

const codeBlocks = (markdown: string): string[] => [...markdown.matchAll(/```\w*\n([\s\S]*?)\n```/g)].map(([, code = ""]) => code);
