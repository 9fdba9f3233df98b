import type { Kysely } from "kysely";
import { z } from "zod";
import type { LiveAudience } from "#database/live-changes.ts";
import type { Database } from "#database/schema.ts";
import type { Sharing } from "#sharing/access.ts";
import { type Audience, liveAudiencesOf } from "#sharing/audience.ts";
import { storedShares } from "./stored-shares.ts";

/** PostgreSQL allows 7,999 bytes. */
const maxPayloadBytes = 7_500;

const announcement = z.object({ users: z.array(z.string()), roles: z.array(z.string()), everyone: z.boolean() });

/** As many bytes as PostgreSQL passes on with some room; more is for everyone. */
export function announcementOf(concerned: Audience): string {
  const text = JSON.stringify(concerned);
  const everyone: Audience = { users: [], roles: [], everyone: true };
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

/** Empty if the announcement is one of another release. */
export function announcedAudiences(payload: string): LiveAudience[] {
  const { data } = announcement.safeParse(jsonOf(payload));
  return data === undefined ? [] : liveAudiencesOf(data);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
