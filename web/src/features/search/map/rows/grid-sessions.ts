import { currentLimits } from "#lib/gateway/portal-settings.ts";
import { findRecord, useOpenSearches } from "#parts/open-searches/records.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { askGridOf } from "./grid-call.ts";
import { GridSession } from "./grid-session.ts";

/** Sessions by search. Each belongs to one run, and stays while other views are shown. */
const sessions = new Map<string, { readonly run: number; readonly session: GridSession }>();

/** The session of a search's current run. */
export function gridSessionOf({ id, run }: SearchRecord): GridSession {
  const known = sessions.get(id);
  if (known?.run === run) return known.session;
  known?.session.close();
  const session = new GridSession(async (request, signal) => {
    const record = findRecord(id);
    if (record === undefined) throw new Error("The search was closed.");
    return askGridOf(record)(request, signal);
  }, currentLimits);
  sessions.set(id, { run, session });
  return session;
}

useOpenSearches.subscribe(({ records }) => {
  for (const [id, { session }] of sessions) {
    if (records.some((record) => record.id === id)) continue;
    session.close();
    sessions.delete(id);
  }
});
