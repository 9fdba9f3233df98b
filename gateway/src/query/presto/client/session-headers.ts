import { EngineFailed } from "#query/engine.ts";
import { preparedName } from "./bound-statement.ts";
import { headerName } from "./protocol.ts";
import type { ServerKind, StatementCall, StatementServerSettings } from "./statements.ts";

/** Both servers refuse requests with more than 8 kB of headers by default. */
const maxPreparedCharacters = 4_000;

/** As whom a statement runs. Throws EngineFailed if the user cannot be named. */
export function userHeader(
  kind: ServerKind,
  { user: account, asUser }: Pick<StatementServerSettings, "user" | "asUser">,
  user: string | undefined,
): Record<string, string> {
  return { [headerName(kind, "User")]: asUser && user !== undefined ? requireUserName(user) : account };
}

/** Further headers of a new statement; the server remembers them for its pages. */
export function sessionHeaders(
  kind: ServerKind,
  { source, catalog }: Pick<StatementServerSettings, "source" | "catalog">,
  { user, timeoutMs }: Pick<StatementCall, "user" | "timeoutMs">,
): Record<string, string> {
  const named: Record<string, string | undefined> = {
    Source: sourceTag(source, user),
    Catalog: catalog,
    "Time-Zone": "UTC",
    Session: `query_max_execution_time=${Math.ceil(timeoutMs)}ms`,
    // Trino only: timestamps with all their digits.
    "Client-Capabilities": kind === "trino" ? "PARAMETRIC_DATETIME" : undefined,
  };
  return Object.fromEntries(
    Object.entries(named).flatMap(([name, value]) => (value === undefined ? [] : [[headerName(kind, name), value] as const])),
  );
}

/** Undefined if the statement is too long for a header. */
export function preparedHeaders(kind: ServerKind, statement: string): Record<string, string> | undefined {
  const encoded = encodeURIComponent(statement);
  return encoded.length > maxPreparedCharacters ? undefined : { [headerName(kind, "Prepared-Statement")]: `${preparedName}=${encoded}` };
}

/** `fairway/ada`: what the server's resource groups, pages and logs show. */
function sourceTag(source: string, user: string | undefined): string {
  const own = headerText(source.trim() === "" ? "fairway" : source.trim());
  return user === undefined ? own : `${own}/${headerText(user)}`;
}

/** Percent-encodes whatever a header cannot hold as it is. */
const headerText = (text: string): string =>
  Buffer.from(text)
    .toString()
    .replaceAll(/[^\x20-\x24\x26-\x7e]/gu, (character) => encodeURIComponent(character));

/** Unlike the source, the user decides about access, so that no name may be changed. */
function requireUserName(user: string): string {
  if (/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(user)) return user;
  throw new EngineFailed("unsupported", "Your user name has characters that the query server does not accept. Tell an administrator.");
}
