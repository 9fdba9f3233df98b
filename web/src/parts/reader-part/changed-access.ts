import { queryClient } from "#lib/gateway/query-client.ts";
import { toastWarning } from "#ui/toast/toast.ts";
import { changedAccessText } from "./part-text.ts";

/** Several parts of a screen may find the same change. */
const oneChangeMs = 2_000;

const toldMs = new Map<string, number>();

/** Says that what the reader may see of a dataset has changed, once for each change. */
export function tellChangedAccess(datasetId: string): void {
  const nowMs = Date.now();
  if (nowMs - (toldMs.get(datasetId) ?? 0) < oneChangeMs) return;
  toldMs.set(datasetId, nowMs);
  toastWarning(datasetId, changedAccessText);
}

/** Forgets what was read of the rows of a dataset. What is shown of them is read again. */
export function forgetRowsOf(datasetId: string): void {
  const name = JSON.stringify(datasetId);
  void queryClient.resetQueries({
    predicate: ({ queryKey }) => queryKey[1] !== "describe" && JSON.stringify(queryKey).includes(name),
  });
}
