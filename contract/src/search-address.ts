import { z } from "zod";
import { type Ring, countCorners, maxCorners, parseRing } from "./areas.ts";
import { computedColumn, derivedColumnLimits, type SearchColumns, searchColumns } from "./derived-columns.ts";
import { addressedFilter } from "./filters.ts";
import { type LastSpan, parseSpan } from "./relative-times.ts";
import { sortKey } from "./search.ts";
import type { SummaryDraft } from "./summaries.ts";

/** Every fragment starts with the version of its format. */
export const searchFragmentStart = "1.";

/** Of the part after `#`. Longer addresses are not opened. */
export const maxSearchFragmentLength = 200_000;

/** How the results of a search are shown. */
export const viewModes = ["table", "raw", "map", "graphs"] as const;
export type ViewMode = (typeof viewModes)[number];

const lastSecond = 8_640_000_000_000;
/** May have a fraction: milliseconds. */
const second = z.number().min(-lastSecond).max(lastSecond);

const spanFromCode = z.string().transform((code, context): LastSpan => {
  const span = parseSpan(code);
  if (span) return span;
  context.addIssue({ code: "custom", message: "is not a span such as 24h" });
  return z.NEVER;
});

const ringFromText = z.string().transform((text, context): Ring => {
  const parsed = parseRing(text);
  if ("ring" in parsed) return parsed.ring;
  context.addIssue({ code: "custom", message: parsed.problem });
  return z.NEVER;
});

const computed = computedColumn.shape;

/** Every key that an address may have, also those of views that add parts of their own. No key may have two meanings. */
export const searchAddressKeys = [
  ["c", "category"],
  ["d", "dataset"],
  ["s", "sample"],
  ["t", "time range"],
  ["l", "last span"],
  ["a", "areas"],
  ["w", "cell of the map"],
  ["f", "filters"],
  ["o", "sorting"],
  ["m", "view"],
  ["v", "visible columns"],
  ["x", "computed columns"],
  ["j", "lookups"],
  ["p", "map"],
  ["g", "summaries"],
] as const;

/** A search in an address of the web app. Keys are short because addresses are pasted into mails. Times are whole seconds. */
export const searchAddressParts = z.strictObject({
  /** Category of the dataset. */
  c: z.string().min(1),
  /** Id of the dataset. */
  d: z.string().min(1),
  /** Whether it is a sample. */
  s: z.literal(1).optional(),
  /** Start and end; null is open. */
  t: z
    .tuple([second.nullable(), second.nullable()])
    .refine(([start, end]) => (start === null || end === null ? start !== end : start <= end))
    .optional(),
  /** Instead of `t`: the last 15m, 24h, 7d, 4w or 3mo before the search runs. */
  l: spanFromCode.optional(),
  /** Areas. */
  a: z
    .array(z.string())
    .max(100)
    .refine((texts) => texts.reduce((sum, text) => sum + countCorners(text), 0) <= maxCorners)
    .pipe(z.array(ringFromText))
    .optional(),
  /** West, south, east and north of a cell of the map, to which the rows are narrowed besides the areas. */
  w: z.tuple([z.number(), z.number(), z.number(), z.number()]).optional(),
  /** Filters. */
  f: z.array(addressedFilter).max(100).optional(),
  /** Sorting. */
  o: z
    .array(z.tuple([sortKey.shape.column, sortKey.shape.direction]))
    .max(10)
    .optional(),
  /** View. */
  m: z.enum(viewModes).optional(),
  /** Visible columns. */
  v: z.array(z.string()).max(5_000).optional(),
  /** Computed columns of the search: name, expression, unit and label. */
  x: z
    .array(z.tuple([computed.name, computed.expression, computed.unit.unwrap().nullable().optional(), computed.label.optional()]))
    .max(derivedColumnLimits.computedOfSearch)
    .optional(),
  /** Lookups of the search. */
  j: searchColumns.shape.lookups,
});
export type SearchAddressParts = z.input<typeof searchAddressParts>;

/** The columns of a search, in an address and back. */
export const addressedColumns = ({ computed: columns = [], lookups = [] }: SearchColumns): Pick<SearchAddressParts, "x" | "j"> => ({
  ...(columns.length === 0
    ? {}
    : {
        x: columns.map(({ name, expression, unit, label }): AddressedColumn => {
          if (label !== undefined) return [name, expression, unit ?? null, label];
          return unit === undefined ? [name, expression] : [name, expression, unit];
        }),
      }),
  ...(lookups.length === 0 ? {} : { j: [...lookups] }),
});

export const columnsOfAddress = ({ x, j }: z.output<typeof searchAddressParts>): SearchColumns => ({
  ...(x === undefined
    ? {}
    : {
        computed: x.map(([name, expression, unit, label]) => ({
          name,
          expression,
          ...(unit == null ? {} : { unit }),
          ...(label === undefined ? {} : { label }),
        })),
      }),
  ...(j === undefined ? {} : { lookups: j }),
});

type AddressedColumn = NonNullable<SearchAddressParts["x"]>[number];

/** Of the summaries in an address: of all as JSON, and how many. */
export const addressedSummaryLimits = { characters: 20_000, count: 50 } as const;

/** Summaries in an address, under the key `g`. The view that shows them reads them by the schema of `summaries.ts`. */
export interface AddressedSummaries {
  g?: readonly SummaryDraft[];
}

/** Those of the summaries, in their order, that an address has room for. */
export function summariesWithRoom<T>(summaries: readonly T[]): T[] {
  let left = addressedSummaryLimits.characters - "[]".length;
  const fitting = summaries.filter((summary) => {
    const { length } = JSON.stringify(summary);
    if (length > left) return false;
    left -= length + ",".length;
    return true;
  });
  return fitting.slice(0, addressedSummaryLimits.count);
}

/** The path of a search in the web app. `fragment` is enough to restore it on another machine, for a user who may read the dataset. */
export const searchPath = (id: string, fragment: string): string => `/search/${encodeURIComponent(id)}#${fragment}`;

/** The part after `#`. Views may add parts of their own, and boards have only time range and area. `base64Url` encodes the UTF-8 of a text, without padding. */
export const searchFragmentOf = (
  parts: Partial<SearchAddressParts> & Readonly<Record<string, unknown>>,
  base64Url: (text: string) => string,
): string => `${searchFragmentStart}${base64Url(JSON.stringify(parts))}`;
