import type { z } from "zod";

/** Every query parameter an issuer may add to the redirect URL. */
const responseParameters = ["code", "state", "error", "error_description", "error_uri", "iss", "session_state"];

/** The response of an issuer in the URL; null if there is none. */
export function issuerResponse(): URLSearchParams | null {
  const response = new URLSearchParams(location.search);
  return response.has("code") || response.has("error") ? response : null;
}

/** Replaces the query, with the response in it, by the one from before the redirect, or without that by what else is in it. */
export function clearResponse(query?: string): void {
  history.replaceState(history.state, "", location.pathname + (query ?? withoutResponse()) + location.hash);
}

function withoutResponse(): string {
  const query = new URLSearchParams(location.search);
  for (const name of responseParameters) query.delete(name);
  return query.size === 0 ? "" : `?${query}`;
}

/** The request that this tab stored before it left for an issuer; null if there is none. */
export function readPending<T>(storageKey: string, schema: z.ZodType<T>): T | null {
  try {
    return schema.safeParse(JSON.parse(sessionStorage.getItem(storageKey) ?? "null")).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
