import { type Kysely, sql } from "kysely";
import { z } from "zod";
import type { LiveAudience } from "#database/live-changes.ts";
import type { Database } from "#database/schema.ts";
import type { Sharing } from "./access.ts";
import { storedShares } from "./stored-shares.ts";

/** PostgreSQL allows 7,999 bytes. */
const maxPayloadBytes = 7_500;

const announcement = z.object({ users: z.array(z.string()), roles: z.array(z.string()), everyone: z.boolean() });
type Announcement = z.infer<typeof announcement>;

/** As many bytes as PostgreSQL passes on with some room; more is for everyone. */
export function announcementOf(concerned: Announcement): string {
  const text = JSON.stringify(concerned);
  const everyone: Announcement = { users: [], roles: [], everyone: true };
  return Buffer.byteLength(text) <= maxPayloadBytes ? text : JSON.stringify(everyone);
}

/** Who may read an own dataset; undefined if there is none. */
export async function sharingOf(trx: Kysely<Database>, id: string): Promise<Sharing | undefined> {
  return trx
    .selectFrom("own_datasets")
    .select("owner_id as ownerId")
    .select(storedShares.as("shares"))
    .where("id", "=", id)
    .executeTakeFirst();
}

/** All who can read by any of these. Groups are their members, also those of a sign-in provider. */
export async function audienceOf(trx: Kysely<Database>, sharings: readonly Sharing[]): Promise<Announcement> {
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

/** Empty if the announcement is one of another release. */
export function announcedAudiences(payload: string): LiveAudience[] {
  const { data } = announcement.safeParse(jsonOf(payload));
  if (data === undefined) return [];
  if (data.everyone) return ["everyone"];
  const { users, roles } = data;
  return [...(users.length > 0 ? [{ users }] : []), ...(roles.length > 0 ? [{ roles }] : [])];
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
