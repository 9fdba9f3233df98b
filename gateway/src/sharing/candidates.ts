import type { ShareCandidate, ShareDraft, ShareTo } from "@fairway/contract/sharing";
import { type Kysely, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";
import type { StoredShare } from "./access.ts";

export interface SharingParts {
  readonly db: Kysely<Database>;
  /** Whom people find by name. */
  readonly candidates: "everyone" | "groups" | "off";
  readonly mayShareWithEveryone: boolean;
}

const maxCandidates = 20;

/** Accounts, groups and roles whose names contain the text, and everyone; never the caller. */
export async function findCandidates(
  { db, candidates, mayShareWithEveryone }: SharingParts,
  user: Pick<SignedInUser, "id" | "roles" | "groups">,
  text: string,
): Promise<ShareCandidate[]> {
  const pattern = `%${text.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const { rows } = await sql<ShareCandidate>`
    select * from (
      (select 'user' as kind, users.id, username as name from users
        where lower(username) like ${pattern} and not locked and users.id <> ${user.id} and ${isFound(candidates, user)}
        order by username_key limit ${maxCandidates})
      union all
      (select 'group', groups.id, groups.name from groups
        where lower(groups.name) like ${pattern} and ${isFoundGroup(candidates, user)} order by groups.name limit ${maxCandidates})
    ) as found limit ${maxCandidates}`.execute(db);
  const wanted = text.toLowerCase();
  const roles = user.roles.filter((role) => role.toLowerCase().includes(wanted)).map((name) => ({ kind: "role" as const, name }));
  const everyone = mayShareWithEveryone && "everyone".includes(wanted) ? [{ kind: "everyone" as const, name: "Everyone" }] : [];
  return [...everyone, ...rows, ...roles].slice(0, maxCandidates);
}

/** People in a common group; the outer query's user. */
const inCommonGroup = (groups: readonly string[]) => sql<boolean>`users.id in (
  select user_id from user_groups where group_id = any(${[...groups]}::text[])
  union select user_id from provider_groups where group_id = any(${[...groups]}::text[]))`;

function isFound(candidates: SharingParts["candidates"], { groups }: Pick<SignedInUser, "groups">) {
  if (candidates === "everyone") return sql<boolean>`true`;
  return candidates === "off" ? sql<boolean>`false` : inCommonGroup(groups);
}

function isFoundGroup(candidates: SharingParts["candidates"], { groups }: Pick<SignedInUser, "groups">) {
  if (candidates === "everyone") return sql<boolean>`true`;
  return candidates === "off" ? sql<boolean>`false` : sql<boolean>`groups.id = any(${[...groups]}::text[])`;
}

/**
 * The shares to store. Refuses in the same words whom the user cannot find and who does not exist; shares of before stay possible. The
 * last entry for a recipient counts.
 */
export async function sharesToStore(
  parts: SharingParts,
  user: SignedInUser,
  drafts: readonly ShareDraft[],
  before: readonly StoredShare[],
): Promise<StoredShare[]> {
  const shares = new Map<string, StoredShare>();
  for (const [index, { to, can }] of drafts.entries()) {
    const share = { kind: to.kind, target: targetOf(to), can };
    const isKnown = before.some(({ kind, target }) => kind === share.kind && target === share.target);
    if (!isKnown) await requirePossible(parts, user, to, `shares.${index}.to`);
    shares.set(`${share.kind} ${share.target}`, share);
  }
  return [...shares.values()];
}

const targetOf = (to: ShareTo): string => (to.kind === "everyone" ? "" : to.kind === "role" ? to.name : to.id);

async function requirePossible(
  { db, candidates, mayShareWithEveryone }: SharingParts,
  user: SignedInUser,
  to: ShareTo,
  path: string,
): Promise<void> {
  switch (to.kind) {
    case "everyone":
      if (mayShareWithEveryone) return;
      throw new Refusal("invalid-value", "Sharing with everyone is not allowed in this portal.", { path: `${path}.kind` });
    case "role":
      if (user.roles.includes(to.name)) return;
      throw new Refusal("invalid-value", `You do not have the role '${to.name}', so you cannot share with it.`, { path: `${path}.name` });
    case "user": {
      const found = await db
        .selectFrom("users")
        .select("users.id")
        .where("users.id", "=", to.id)
        .where("users.id", "<>", user.id)
        .where("locked", "=", false)
        .where(isFound(candidates, user))
        .executeTakeFirst();
      if (found !== undefined) return;
      throw new Refusal("invalid-value", "There is no such person.", { path: `${path}.id` });
    }
    case "group": {
      const found = await db
        .selectFrom("groups")
        .select("groups.id")
        .where("groups.id", "=", to.id)
        .where(isFoundGroup(candidates, user))
        .executeTakeFirst();
      if (found !== undefined) return;
      throw new Refusal("invalid-value", "There is no such group.", { path: `${path}.id` });
    }
    default:
      throw new Error(`unknown recipient ${String(to satisfies never)}`);
  }
}
