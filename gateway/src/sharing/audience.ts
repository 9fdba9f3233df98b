import { type Kysely, sql } from "kysely";
import type { LiveAudience } from "#database/live-changes.ts";
import type { Database } from "#database/schema.ts";
import type { Sharing } from "./access.ts";

/** Those whom a change of a shared thing concerns. Groups are their members. */
export interface Audience {
  readonly users: readonly string[];
  readonly roles: readonly string[];
  readonly everyone: boolean;
}

/** All who can read by any of these. Groups are their members, also those of a sign-in provider. */
export async function audienceOf(trx: Kysely<Database>, sharings: readonly Sharing[]): Promise<Audience> {
  const shares = sharings.flatMap((one) => one.shares);
  const targets = (kind: "user" | "group" | "role") => shares.filter((share) => share.kind === kind).map(({ target }) => target);
  const groups = [...new Set(targets("group"))];
  const owners = sharings.flatMap(({ ownerId }) => (ownerId === null ? [] : [ownerId]));
  const { rows } =
    groups.length === 0
      ? { rows: [] }
      : await sql<{ id: string }>`
          select user_id as id from user_groups where group_id = any(${groups}::text[])
          union select user_id from provider_groups where group_id = any(${groups}::text[])`.execute(trx);
  return {
    users: [...new Set([...owners, ...targets("user"), ...rows.map(({ id }) => id)])],
    roles: [...new Set(targets("role"))],
    everyone: shares.some(({ kind }) => kind === "everyone"),
  };
}

export function liveAudiencesOf({ users, roles, everyone }: Audience): LiveAudience[] {
  if (everyone) return ["everyone"];
  return [...(users.length > 0 ? [{ users }] : []), ...(roles.length > 0 ? [{ roles }] : [])];
}
