import { pluralize } from "@fairway/contract/counts";
import type { LiveTopic } from "@fairway/contract/live";
import { byName } from "@fairway/contract/name-order";
import { maxShares, type OwnedKind, type OwnerlessEntry, type OwnOrShared, type ShareDraft } from "@fairway/contract/sharing";
import { type Kysely, type RawBuilder, sql, type Transaction } from "kysely";
import { countedInsert } from "#database/counted-insert.ts";
import type { LiveReporter } from "#database/live-changes.ts";
import { nameKey } from "#database/name-key.ts";
import type { Database } from "#database/schema.ts";
import { isUniqueViolation } from "#database/unique-violation.ts";
import { Refusal } from "#http/refusal.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { mayDo, type Sharing, type StoredShare } from "./access.ts";
import { audienceOf, liveAudiencesOf } from "./audience.ts";
import { type SharingParts, sharesToStore } from "./candidates.ts";
import { accountIsFull, hasMoved, isAdministrator, requireRecipient, sharesAfterGiving } from "./giving.ts";
import { type NamedShare, namedShares, sharesOf } from "./named-shares.ts";
import type { AllGiven, OwnedThings } from "./owned-things.ts";
import { requireOwnRoles } from "./shared-roles.ts";
import { rolesOf, type SharedTables, sharesIn, storeShares, withRoles } from "./shared-tables.ts";

export interface SharedThingsParts extends SharingParts {
  readonly live: LiveReporter;
  /** Called after a thing has got another owner. */
  readonly onGiven: (thing: SharedThing, owner: SignedInUser, by: SignedInUser) => Promise<void>;
}

export interface SharedKind {
  readonly kind: OwnedKind;
  readonly tables: SharedTables;
  /** As in messages. */
  readonly noun: string;
  readonly topic: LiveTopic;
  /** The columns within which a name is unique, besides the owner. */
  readonly nameScope: readonly ("category" | "dataset_id")[];
  readonly nameCharacters: number;
  /** The kind under which new ones are counted. */
  readonly countedAs: string;
  readonly maxPerUser: number;
  /** Within the transaction that gives a thing to another owner: remembers its former owner (empty: none) as the author of what is in it. */
  readonly keepAuthor: (trx: Transaction<Database>, id: string, author: string) => Promise<void>;
  /** Within the transaction that has given things to an account: refuses what it has no room for. */
  readonly makeRoom?: (trx: Transaction<Database>, owner: SignedInUser) => Promise<void>;
}

/** A thing that can be shared, and who may do what with it. */
export interface SharedThing extends Sharing {
  readonly id: string;
  readonly name: string;
  readonly shares: readonly NamedShare[];
  /** The username of a deleted account. */
  readonly formerOwner: string | null;
}

type GivenThing = SharedThing & Readonly<Record<"category" | "dataset_id", string | undefined>>;

/** The shares of a thing before an edit, and the roles of them that were shown to the caller. */
interface SharedBefore {
  readonly can: OwnOrShared;
  readonly shares: readonly StoredShare[];
  readonly shown: readonly string[];
}

const maxListed = 1_000;

const isSameSet = (one: readonly string[], other: readonly string[]): boolean =>
  new Set(one).size === new Set(other).size && one.every((entry) => other.includes(entry));

/** Names and counts, for the audit log. */
export const sharesNote = (name: string, count: number): string => `${name}, ${pluralize(count, "share")}`;

/** Shares and owners of things of one kind, each of which is a row of a table. */
export class SharedThings implements OwnedThings {
  readonly #parts: SharedThingsParts;
  readonly #kind: SharedKind;

  constructor(parts: SharedThingsParts, kind: SharedKind) {
    this.#parts = parts;
    this.#kind = kind;
  }

  get kind(): OwnedKind {
    return this.#kind.kind;
  }

  /** Replaces the shares, and resolves with their number. */
  async share(user: SignedInUser, id: string, drafts: readonly ShareDraft[]): Promise<{ name: string; count: number }> {
    const thing = await this.#require(user, id, "own");
    const shares = await sharesToStore(this.#parts, user, drafts, thing.shares);
    await this.#changed(thing, (trx) => storeShares(trx, this.#kind.tables, id, shares));
    return { name: thing.name, count: shares.length };
  }

  /** The shares of a thing that is made, with the roles that clients write that know only roles. */
  async sharesOfNew(
    user: SignedInUser,
    { shares, sharedWithRoles }: { shares: readonly ShareDraft[]; sharedWithRoles: readonly string[] },
  ): Promise<StoredShare[]> {
    const named = await sharesToStore(this.#parts, user, shares, []);
    return this.sharesWithRoles(user, [...rolesOf(named), ...sharedWithRoles], named);
  }

  /** The shares with other roles, as clients write them that know only roles. Refuses roles that the user does not hold. */
  sharesWithRoles(user: SignedInUser, roles: readonly string[], before: readonly StoredShare[]): StoredShare[] {
    const shares = withRoles(before, requireOwnRoles(user, roles, rolesOf(before)));
    if (shares.length > maxShares) {
      throw new Refusal("invalid-value", `There can be ${maxShares} shares in all.`, { path: "sharedWithRoles" });
    }
    return shares;
  }

  /**
   * The shares that an edit with roles sets; undefined if they stay. Another one than the owner may send back the roles that are shown to
   * them, as clients do that send all they know.
   */
  sharesToSave(user: SignedInUser, roles: readonly string[] | undefined, { can, shares, shown }: SharedBefore): StoredShare[] | undefined {
    if (roles === undefined) return undefined;
    if (can === "own") return this.sharesWithRoles(user, roles, shares);
    if (isSameSet(roles, shown)) return undefined;
    throw new Refusal("forbidden", `Only the owner of this ${this.#kind.noun} may share it.`, { path: "sharedWithRoles" });
  }

  /** Removes the share with the caller alone: those by groups and roles stay. */
  async leave(user: SignedInUser, id: string): Promise<string> {
    const { noun, tables } = this.#kind;
    const thing = await this.#require(user, id, "view");
    const left = thing.shares.filter(({ kind, target }) => kind !== "user" || target !== user.id);
    if (left.length === thing.shares.length) {
      throw new Refusal(
        "conflict",
        thing.ownerId === user.id
          ? `This ${noun} is yours, so you cannot leave it.`
          : `This ${noun} is shared with a group, a role or everyone, so you cannot leave it.`,
      );
    }
    await this.#changed(thing, (trx) =>
      sql`delete from ${sql.table(tables.shares)} where ${sql.ref(tables.key)} = ${id} and kind = 'user' and target = ${user.id}`.execute(
        trx,
      ),
    );
    return thing.name;
  }

  /** By the owner to someone who can edit, by an administrator to any enabled account. The former owner stays an editor. */
  async transfer(user: SignedInUser, id: string, userId: string): Promise<{ name: string; owner: string }> {
    const byAdministrator = isAdministrator(user);
    const thing = byAdministrator ? await this.#find(id) : await this.#require(user, id, "own");
    if (thing === undefined) throw this.notFound();
    return this.#giveOne(user, thing, userId, byAdministrator);
  }

  /** Open pages of all who could read it before and can now look again. */
  async report(...sharings: readonly (Sharing | undefined)[]): Promise<void> {
    const known = sharings.filter((one) => one !== undefined);
    for (const audience of liveAudiencesOf(await audienceOf(this.#parts.db, known)))
      this.#parts.live.report({ topic: this.#kind.topic, audience });
  }

  async ownerless(): Promise<OwnerlessEntry[]> {
    const things = await this.#select(this.#parts.db, sql<boolean>`user_id is null`);
    return things.map(({ id, name, formerOwner, shares }) => ({
      kind: this.kind,
      id,
      name,
      formerOwner: formerOwner ?? "",
      shares: sharesOf(shares),
    }));
  }

  async give(by: SignedInUser, id: string, userId: string): Promise<{ name: string; owner: string }> {
    const thing = await this.#find(id);
    if (thing === undefined || thing.ownerId !== null) throw this.notFound();
    return this.#giveOne(by, thing, userId, true);
  }

  async remove(id: string): Promise<string> {
    const thing = await this.#find(id);
    if (thing === undefined || thing.ownerId !== null) throw this.notFound();
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(this.#kind.tables.things)} where id = ${id} and user_id is null`.execute(this.#parts.db);
    if (numAffectedRows === 0n) throw this.notFound();
    await this.report(thing);
    return thing.name;
  }

  async giveAll(trx: Transaction<Database>, from: string, to: SignedInUser): Promise<AllGiven> {
    const things = await this.#select(trx, sql<boolean>`user_id = ${from}`);
    await this.#give(trx, things, to, { staysEditor: false });
    return {
      count: things.length,
      report: () => (things.length === 0 ? Promise.resolve() : this.report({ ownerId: to.id, shares: [] }, ...things)),
    };
  }

  async owned(userId: string): Promise<{ count: number; shared: { id: string; name: string }[] }> {
    const things = await this.#select(this.#parts.db, sql<boolean>`user_id = ${userId}`);
    return {
      count: things.length,
      shared: things.filter(({ shares }) => sharesOf(shares).length > 0).map(({ id, name }) => ({ id, name })),
    };
  }

  notFound(): Refusal {
    return new Refusal("not-found", `There is no such ${this.#kind.noun}.`);
  }

  /** Says why a reader's rights are too few. */
  requireRight(can: OwnOrShared, needed: OwnOrShared): void {
    if (needed === "view" || can === "own" || can === needed) return;
    const { noun } = this.#kind;
    throw new Refusal("forbidden", needed === "own" ? `Only the owner of this ${noun} may do this.` : `You may only read this ${noun}.`);
  }

  async #require(user: SignedInUser, id: string, needed: OwnOrShared): Promise<GivenThing> {
    const thing = await this.#find(id);
    const can = thing && mayDo(thing, user);
    if (thing === undefined || can === undefined) throw this.notFound();
    this.requireRight(can, needed);
    return thing;
  }

  async #find(id: string): Promise<GivenThing | undefined> {
    return (await this.#select(this.#parts.db, sql<boolean>`id = ${id}`))[0];
  }

  async #select(db: Kysely<Database>, condition: RawBuilder<boolean>): Promise<GivenThing[]> {
    const { tables, nameScope } = this.#kind;
    const scope = nameScope.map((column) => sql`, ${sql.ref(column)}`);
    const { rows } = await sql<GivenThing>`
      select id, name, user_id as "ownerId", former_owner as "formerOwner", ${namedShares(sharesIn(tables))} as shares ${sql.join(scope, sql``)}
      from ${sql.table(tables.things)} where ${condition} order by name_key, id limit ${maxListed}`.execute(db);
    return rows.toSorted(byName);
  }

  async #changed(before: SharedThing, work: (trx: Transaction<Database>) => Promise<unknown>): Promise<void> {
    await this.#parts.db.transaction().execute(work);
    await this.report(before, await this.#find(before.id));
  }

  async #giveOne(by: SignedInUser, thing: GivenThing, userId: string, byAdministrator: boolean): Promise<{ name: string; owner: string }> {
    const { noun } = this.#kind;
    const account = await requireRecipient(this.#parts.db, userId, { thing, noun, byAdministrator });
    const given = { name: thing.name, owner: account.username };
    if (account.id === thing.ownerId) return given;
    await this.#give(this.#parts.db, [thing], account, { staysEditor: true });
    const now = await this.#find(thing.id);
    await this.report(thing, now);
    await this.#parts.onGiven(now ?? thing, account, by);
    return given;
  }

  /** Gives things of one owner, or of none, to an account, in one turn of the account. A name that it has gets a number. */
  async #give(
    db: Kysely<Database>,
    things: readonly GivenThing[],
    account: SignedInUser,
    { staysEditor }: { readonly staysEditor: boolean },
  ): Promise<void> {
    if (things.length === 0) return;
    const { noun, tables, maxPerUser, countedAs, keepAuthor, makeRoom, nameScope } = this.#kind;
    const scopeOf = (thing: GivenThing) => JSON.stringify(nameScope.map((column) => thing[column]));
    try {
      await countedInsert(db, {
        kind: countedAs,
        owner: account.id,
        requireRoom: async (trx) => {
          const kept = await this.#select(trx, sql<boolean>`user_id = ${account.id}`);
          if (kept.length + things.length > maxPerUser) throw accountIsFull(account.username, noun);
          return kept;
        },
        insert: async (trx, kept) => {
          const taken = new Set(kept.map((thing) => `${scopeOf(thing)} ${nameKey(thing.name)}`));
          for (const thing of things) {
            const name = freeName(thing.name, this.#kind.nameCharacters, (one) => taken.has(`${scopeOf(thing)} ${nameKey(one)}`));
            taken.add(`${scopeOf(thing)} ${nameKey(name)}`);
            const { numAffectedRows = 0n } = await sql`
              update ${sql.table(tables.things)} set user_id = ${account.id}, name = ${name}, name_key = ${nameKey(name)}, former_owner = null
              where id = ${thing.id} and user_id is not distinct from ${thing.ownerId}`.execute(trx);
            if (numAffectedRows === 0n) throw hasMoved(noun);
            await keepAuthor(trx, thing.id, thing.ownerId ?? "");
            await storeShares(trx, tables, thing.id, sharesAfterGiving(thing, account.id, staysEditor));
          }
          await makeRoom?.(trx, account);
        },
      });
    } catch (error) {
      // A rename at the same moment has taken one of the names.
      throw isUniqueViolation(error) ? new Refusal("conflict", `'${account.username}' has another ${noun} of this name since.`) : error;
    }
  }
}

/** The name, or the first one with a number that is not taken, such as `Season (2)`. */
export function freeName(name: string, maxCharacters: number, isTaken: (name: string) => boolean): string {
  if (!isTaken(name)) return name;
  for (let number = 2; ; number += 1) {
    const suffix = ` (${number})`;
    // Without the first half of a character whose second one is cut off.
    const start = name.slice(0, maxCharacters - suffix.length).replace(/[\uD800-\uDBFF]$/, "");
    const numbered = `${start.trimEnd()}${suffix}`;
    if (!isTaken(numbered)) return numbered;
  }
}
