import { type Column, type ColumnType, isNumeric, isTimestamp } from "@fairway/contract/columns";
import type { Lookup } from "@fairway/contract/derived-columns";
import type { ErrorItem } from "@fairway/contract/errors";
import { missingFilterHint } from "@fairway/contract/required-filters";
import type { DatasetSource, QueryableDataset } from "./engine.ts";
import { engineNameOf } from "./engines.ts";

/** Another dataset as the reader may read it, without columns that it looks up itself. */
export interface OtherDataset {
  readonly source: DatasetSource;
  readonly columns: readonly Column[];
  readonly filterSupport: Parameters<typeof missingFilterHint>[0];
  /** Throws EngineFailed if its own filters do not fit its columns. */
  readonly queryable: () => QueryableDataset;
}

/** The same for a dataset that may look it up. */
export interface LookupTarget extends OtherDataset {
  /** Whether its readers see the same rows of it. */
  readonly isWhole: boolean;
  /** Columns of the dataset and of this one that links between datasets name as holding the same. */
  readonly linked: Lookup["key"];
}

/** Why a dataset of this source cannot look up columns of another one. */
export function lookupProblem(
  source: DatasetSource,
  other: Pick<OtherDataset, "source" | "filterSupport"> & { readonly id: string },
): Pick<ErrorItem, "code" | "message"> | undefined {
  const { id } = other;
  if (other.source.kind === "rest") return { code: "not-supported", message: `The service behind '${id}' cannot be looked up.` };
  if (engineNameOf(other.source) !== engineNameOf(source)) {
    return { code: "not-supported", message: `'${id}' is on another engine; a lookup needs both datasets on the same one.` };
  }
  if (missingFilterHint(other.filterSupport, { filters: [], timeRange: false, area: false }) !== null) {
    return { code: "not-supported", message: `'${id}' has required filters, so that its columns cannot be looked up.` };
  }
  return undefined;
}

type Kind = "text" | "number" | "time" | "boolean";
/** The kind as which the values of a column are compared. */
export const kindOf = ({ type }: { readonly type: ColumnType }): Kind =>
  isNumeric(type) ? "number" : isTimestamp(type) ? "time" : type === "STRING" ? "text" : "boolean";
const kindWords: Readonly<Record<Kind, string>> = { text: "text", number: "a number", time: "a time", boolean: "a truth value" };

/** Why two columns are no key. */
export function keyProblem(ours: Pick<Column, "name" | "type">, on: Pick<Column, "name" | "type">): string | undefined {
  const [kind, other] = [kindOf(ours), kindOf(on)];
  const both = `'${ours.name}' is ${kindWords[kind]} and '${on.name}' is ${kindWords[other]}`;
  if (kind === "boolean" || other === "boolean") return `${both}; keys are texts, numbers or times.`;
  if (kind === other) return undefined;
  if (kind === "text" && other === "number") return `${both}; use text(${on.name}) or number(${ours.name}).`;
  if (kind === "number" && other === "text") return `${both}; use text(${ours.name}) or number(${on.name}).`;
  return `${both}; a key takes two of the same kind.`;
}
