import type { Column } from "@fairway/contract/columns";
import type { DatasetRef } from "@fairway/contract/datasets";
import type { LookupReport } from "@fairway/contract/lookups";
import type { SearchDataDraft } from "@fairway/contract/search";
import { useQuery } from "@tanstack/react-query";
import { GatewayError, messagesOf } from "#lib/gateway/gateway-error.ts";
import { describeQuery } from "#parts/dataset-picker/queries.ts";
import { type LookupDraft, type Pair, isCompleteKey, proposedKey } from "./lookup-draft.ts";
import { lookupReportQuery } from "./queries.ts";

export interface LookupSubject {
  /** The dataset that looks up columns; null for one that is not stored yet, of which nothing can be compared. */
  dataset: DatasetRef | null;
  /** Its columns that may be a key. */
  columns: readonly Column[];
  /** The column that a proposed key takes. */
  column?: string | null;
  /** The search whose rows are compared. Default: all rows. */
  search?: SearchDataDraft;
}

export interface LookupState {
  /** The key of the draft, else the proposed one, else a pair to choose; empty until it is known. */
  pairs: readonly Pair[];
  /** Columns that may be looked up. */
  others: readonly Column[];
  /** About `pairs`; undefined while it is not known. */
  report: LookupReport | undefined;
  isComparing: boolean;
  /** Why values could not be compared. `pair`: the one that is wrong. */
  problem: { messages: readonly string[]; pair: number | null; retry: () => void } | null;
}

/** The state of a lookup while it is made: the other dataset, the proposed key, and what it finds. */
export function useLookup({ dataset: other, key, match }: LookupDraft, subject: LookupSubject): LookupState {
  const { columns, column = null, search } = subject;
  const description = useQuery({
    ...describeQuery(other?.datasetCategory ?? "", other?.datasetId ?? ""),
    enabled: other !== null,
    retry: false,
  });
  const canCompare = subject.dataset !== null && other !== null && (key.length === 0 || isCompleteKey(key));
  const request = lookupReportQuery(subject.dataset ?? nothing, {
    dataset: other ?? nothing,
    match,
    ...(key.length === 0 ? {} : { key: [...key] }),
    ...(key.length > 0 || column === null ? {} : { column }),
    ...(search === undefined ? {} : { search }),
  });
  const compared = useQuery({ ...request, enabled: canCompare });
  const report = canCompare ? compared.data : undefined;
  const plain = description.data?.schema.columns.filter(({ combined }) => combined === null) ?? [];
  const others = report === undefined ? plain : plain.filter(({ name }) => report.columns.includes(name));
  const isUnknown = compared.isError || subject.dataset === null;
  return {
    pairs: key.length > 0 ? key : pairsOf(report, isUnknown && plain.length > 0 ? proposedKey(columns, plain) : undefined, column),
    others,
    report: report?.key.length === 0 ? undefined : report,
    isComparing: canCompare && compared.isFetching,
    problem: problemOf(description.error ?? (canCompare ? compared.error : null), () => {
      void description.refetch();
      void compared.refetch();
    }),
  };
}

const nothing: DatasetRef = { datasetCategory: "", datasetId: "" };

function pairsOf(report: LookupReport | undefined, byNames: readonly Pair[] | undefined, column: string | null): readonly Pair[] {
  const proposed = report?.key ?? byNames;
  if (proposed === undefined) return [];
  return proposed.length > 0 ? proposed : [{ column: column ?? "", on: "" }];
}

function problemOf(error: Error | null, retry: () => void): LookupState["problem"] {
  if (error === null) return null;
  const path = error instanceof GatewayError ? error.errors[0]?.path : undefined;
  const pair = /^key\.(\d+)/.exec(path ?? "")?.[1];
  return { messages: messagesOf(error), pair: pair === undefined ? null : Number(pair), retry };
}
