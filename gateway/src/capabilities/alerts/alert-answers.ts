import type { Alert, AlertCheck } from "@fairway/contract/alerts";
import { parseSavedQuery } from "@fairway/contract/saved-searches";
import type { MasterKey } from "#secrets/master-key.ts";
import { stateOf } from "./administration.ts";
import { searchLink } from "#personal/search-link.ts";
import type { AlertRow, CheckRow } from "./store.ts";
import { watchedSummary } from "./watched-summary.ts";
import { decryptTarget } from "./webhook-target.ts";

export const datasetOf = ({ category, dataset_id: datasetId }: { readonly category: string; readonly dataset_id: string }) => ({
  datasetCategory: category,
  datasetId,
});

const numberOf = (text: string | null): number | null => (text === null ? null : Number(text));

export function webhookOf(masterKey: MasterKey, row: AlertRow, isForKey: boolean): Alert["webhook"] {
  if (row.webhook_target === null) return null;
  const url = decryptTarget(masterKey, row.id, row.webhook_target)?.url ?? "";
  const problem = row.webhook_problem ?? "";
  return {
    url: isForKey && url !== "" ? new URL(url).origin : url,
    state: row.webhook_dead_at !== null ? "dead" : problem === "" ? "ok" : "failing",
    problem,
  };
}

interface Shown {
  /** Whether the caller sees the same of the dataset as the check that stored the figures. */
  readonly isSame: boolean;
  /** Whether its saved search is still there for its owner. */
  readonly showsSearch: boolean;
  readonly webhook: Alert["webhook"];
}

/** Without what it saw if its reader sees something else now, or nothing. */
export function alertOf(row: AlertRow, { isSame, showsSearch, webhook }: Shown): Alert {
  const isSnoozed = row.snoozed_until !== null && row.snoozed_until.getTime() > Date.now();
  return {
    id: row.id,
    name: row.name,
    savedSearch: row.saved_search_id === null || !showsSearch ? null : { id: row.saved_search_id, name: row.saved_search_name ?? "" },
    dataset: datasetOf(row),
    link: showsSearch ? linkOf(row) : null,
    condition: row.condition,
    everyMinutes: row.every_minutes,
    tellWhenOver: row.tell_when_over,
    email: row.email,
    webhook,
    state: stateOf(isSame ? row : { ...row, checked_at: null }),
    pausedBy: row.paused_by,
    reason: row.pause_reason,
    snoozedUntilMs: isSnoozed ? (row.snoozed_until?.getTime() ?? null) : null,
    lastCheckedMs: row.checked_at?.getTime() ?? null,
    nextCheckMs: row.next_check_at?.getTime() ?? null,
    seen: row.checked_at === null || !isSame ? null : { rows: numberOf(row.seen_rows), newestMs: numberOf(row.seen_newest_ms) },
    createdDateMs: row.created_at.getTime(),
  };
}

function linkOf(row: AlertRow): string | null {
  const parsed = row.query === null ? undefined : parseSavedQuery(row.query);
  return parsed !== undefined && "query" in parsed
    ? searchLink(datasetOf(row), parsed.query, { summary: watchedSummary(row.condition) })
    : null;
}

export const checkOf = (row: CheckRow, isSame: boolean): AlertCheck => ({
  id: row.id,
  checkedMs: row.checked_at.getTime(),
  kind: row.kind,
  seen: isSame ? { rows: numberOf(row.rows), newRows: numberOf(row.new_rows), newestMs: numberOf(row.newest_ms) } : null,
  told: row.told,
  reason: row.reason,
  durationMs: row.duration_ms,
});
