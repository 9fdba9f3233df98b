import { type BreakdownEntry, type BreakdownNarrow, breakdownLimits } from "@fairway/contract/breakdowns";
import { isTimestamp } from "@fairway/contract/columns";
import type { CellValue, SearchFilter } from "@fairway/contract/search";
import type { AnsweredEntry } from "#query/breakdown.ts";
import type { SearchableDataset } from "#query/searchable-dataset.ts";
import { isOffered } from "../validate-filters.ts";
import { isoTime } from "./comparison.ts";
import { partName } from "./part-names.ts";
import type { ValidGrouping } from "./valid-groupings.ts";

type Narrowed = { readonly narrow: BreakdownNarrow } | { readonly narrow: null; readonly reason: string };
type EntryOf<Kind extends AnsweredEntry["kind"]> = Extract<AnsweredEntry, { kind: Kind }>;

const by = (...filters: SearchFilter[]): Narrowed => ({ narrow: { filters } });
const none = (reason: string): Narrowed => ({ narrow: null, reason });

/** Moments that ISO 8601 writes with four digits. */
const firstMs = Date.parse("0001-01-01T00:00:00Z");
const afterMs = Date.parse("+010000-01-01T00:00:00Z");

/** The entries of a grouping with the filters by which a search finds exactly their rows. `listValues`: the most of one list. */
export function narrowedEntries(
  dataset: SearchableDataset,
  grouping: ValidGrouping,
  entries: readonly AnsweredEntry[],
  listValues: number,
): BreakdownEntry[] {
  const narrowing = new Narrowing(dataset, grouping, entries, listValues);
  return entries.map((entry): BreakdownEntry => {
    switch (entry.kind) {
      case "value":
        return { ...entry, ...narrowing.value(entry.value) };
      case "empty":
        return { ...entry, ...narrowing.value(null) };
      case "other":
        return { ...entry, ...narrowing.other() };
      case "time":
        return { ...entry, ...narrowing.time(entry) };
      case "outside":
        return { ...entry, ...narrowing.outside() };
      case "part":
        return { ...entry, name: narrowing.partName(entry), ...narrowing.part(entry) };
      case "range":
        return { ...entry, ...narrowing.range(entry) };
      case "group":
        return { kind: "group", label: grouping.groups[entry.index]?.label ?? "", ...narrowing.group(entry) };
      default:
        return entry satisfies never;
    }
  });
}

class Narrowing {
  readonly #dataset: SearchableDataset;
  readonly #grouping: ValidGrouping;
  readonly #entries: readonly AnsweredEntry[];
  readonly #listValues: number;

  constructor(dataset: SearchableDataset, grouping: ValidGrouping, entries: readonly AnsweredEntry[], listValues: number) {
    this.#dataset = dataset;
    this.#grouping = grouping;
    this.#entries = entries;
    this.#listValues = listValues;
  }

  value(value: CellValue): Narrowed {
    if (typeof value === "string" && value.length > breakdownLimits.narrowCharacters) {
      return none(`The value is longer than ${breakdownLimits.narrowCharacters.toLocaleString("en-US")} characters.`);
    }
    return this.#filtered((name) => by({ name, operator: "=", value: filterValue(value) }));
  }

  other(): Narrowed {
    const { axis } = this.#grouping;
    if (axis.kind === "groups") return none("No filters find the rows that are in none of these groups.");
    const values = this.#entries.flatMap((entry) => (entry.kind === "value" ? [entry.value] : []));
    if (values.length + 1 > this.#listValues) return none(`One filter takes at most ${this.#listValues} values.`);
    if (values.some((value) => typeof value === "string" && value.length > breakdownLimits.narrowCharacters)) {
      return none(`A value is longer than ${breakdownLimits.narrowCharacters.toLocaleString("en-US")} characters.`);
    }
    return this.#filtered((name) => by({ name, operator: "not in", value: [...values.map(filterValue), null] }));
  }

  time({ startMs, endMs }: EntryOf<"time">): Narrowed {
    const { column } = this.#grouping;
    const { queryable, filterSupport } = this.#dataset;
    const isFiltered = column !== null && isOffered(this.#dataset, column.name);
    if (isFiltered || column?.name !== queryable.temporalField || !filterSupport.supportsTimeRange) {
      return this.#filtered((name) =>
        by({ name, operator: ">=", value: this.#moment(startMs) }, { name, operator: "<", value: this.#moment(endMs) }),
      );
    }
    const lastMs = endMs - (column?.type === "TIMESTAMP_SECONDS" ? 1_000 : 1);
    return { narrow: { timeRange: { start: isoTime(startMs), end: isoTime(lastMs) } } };
  }

  outside(): Narrowed {
    return this.#filtered((name) =>
      by({
        name: "*",
        operator: "any",
        value: [[{ name, operator: "<", value: this.#moment(firstMs) }], [{ name, operator: ">=", value: this.#moment(afterMs) }]],
      }),
    );
  }

  part({ number }: EntryOf<"part">): Narrowed {
    const { axis, zone } = this.#grouping;
    if (axis.kind !== "part") return none("");
    return this.#filtered((name) => by({ name, operator: "when", value: { part: axis.part, zone, in: [number] } }));
  }

  partName({ number }: EntryOf<"part">): string {
    const { axis } = this.#grouping;
    return axis.kind === "part" ? partName(axis.part, number) : "";
  }

  range({ from, to }: EntryOf<"range">): Narrowed {
    return this.#filtered((name) => {
      if (from === null && to === null) return by({ name, operator: "<>", value: null });
      return by(
        ...(from === null ? [] : [{ name, operator: ">=", value: exactText(from) }]),
        ...(to === null ? [] : [{ name, operator: "<", value: exactText(to) }]),
      );
    });
  }

  group({ index }: EntryOf<"group">): Narrowed {
    const { axis, groups } = this.#grouping;
    if (axis.kind === "groups" && axis.match === "first" && index > 0)
      return none("No filters find rows by the first group that they match.");
    return by(...(groups[index]?.filters ?? []));
  }

  #filtered(narrowedBy: (name: string) => Narrowed): Narrowed {
    const { column } = this.#grouping;
    if (column === null || !isOffered(this.#dataset, column.name))
      return none(`This dataset cannot be filtered by '${column?.name ?? ""}'.`);
    return narrowedBy(column.name);
  }

  /** ISO 8601 as far as that goes. */
  #moment(epochMs: number): string | number {
    const unitMs = this.#grouping.column?.type === "TIMESTAMP_SECONDS" ? 1_000 : 1;
    const isWritten = isTimestamp(this.#grouping.column?.type ?? "STRING") && epochMs >= firstMs && epochMs < afterMs;
    return isWritten ? isoTime(epochMs) : epochMs / unitMs;
  }
}

/** Filters take whole numbers from 2^53 on only as texts, because JSON may have rounded them. */
const exactText = (value: number): string | number =>
  Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(value).toString() : value;

const filterValue = (value: CellValue): CellValue => (typeof value === "number" ? exactText(value) : value);
