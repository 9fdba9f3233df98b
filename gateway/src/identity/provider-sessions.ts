import { type Kysely, sql } from "kysely";
import { z } from "zod";
import type { Database } from "#database/schema.ts";
import { encryptedTextColumn } from "#secrets/encrypted-column.ts";
import { Refusal } from "#http/refusal.ts";
import type { MasterKey } from "#secrets/master-key.ts";
import type { Log } from "./announce.ts";
import { spendCode } from "./card-links.ts";
import { type ProviderPerson, applyClaims, findLink } from "./provider-links.ts";
import { hashOfSecret } from "./secret-token.ts";
import type { SessionStates } from "./session-states.ts";
import type { OpenSession } from "./sessions.ts";

declare module "#database/schema.ts" {
  interface Database {
    /** Sessions that were started at the organization's OpenID Connect provider. */
    provider_sessions: {
      session_id: string;
      person_hash: string;
      /** SHA-256 (hex) of the provider's session id, if it says one. */
      sid_hash: string | null;
      /** `ProviderTokens` as JSON, encrypted with the master key. */
      tokens: string;
      /** A gateway asks the provider until then at most. Its outcome counts for everyone. */
      checking_until: Date | null;
      /** When a renewal first failed to reach the provider; null if the last one did reach it. */
      unreachable_since: Date | null;
    };
  }
}

const providerTokens = z.object({ refreshToken: z.string().optional(), idToken: z.string().optional() });

/** Tokens of the provider, which never leave the gateway. */
export interface ProviderTokens {
  /** Undefined if the provider issues none. */
  readonly refreshToken?: string | undefined;
  /** Tells the provider at a logout who is meant. */
  readonly idToken?: string | undefined;
  /** The provider's session id. */
  readonly sid?: string | undefined;
}

/** A person who has just come back from the provider. */
export interface ProviderProof {
  readonly person: ProviderPerson;
  readonly tokens: ProviderTokens;
  /** When the person last authenticated at the provider; undefined if it does not say. */
  readonly authenticatedAtMs: number | undefined;
}

/** The provider's answer about a session. */
export type Confirmation =
  | { readonly kind: "confirmed"; readonly person: ProviderPerson; readonly tokens: ProviderTokens }
  /** The person may not go on: the provider's session has ended, or the person was disabled or removed. */
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "unreachable" };

/** The organization's OpenID Connect provider, as far as sessions depend on it. */
export interface SessionProvider {
  readonly issuer: string;
  readonly displayName: string;
  /** Spends a refresh token of the provider. Never rejects because of the provider. */
  confirm(refreshToken: string): Promise<Confirmation>;
}

/** Sessions that have ended at the provider: one session, all of a person, or a session of a person. One of both is named. */
export interface EndedAtProvider {
  /** Counts once. */
  readonly id: string;
  readonly issuer: string;
  readonly personHash: string | undefined;
  readonly sid: string | undefined;
}

export interface ProviderSessionParts {
  readonly db: Kysely<Database>;
  readonly masterKey: Pick<MasterKey, "encrypt" | "decrypt">;
  readonly states: SessionStates;
  /** Undefined if none is configured. */
  readonly provider: SessionProvider | undefined;
  /** How long sessions go on without the provider, from the first renewal that did not reach it. */
  readonly graceMinutes: number;
  /** How long sessions go on for which the provider issued no refresh token. */
  readonly uncheckedMinutes: number;
  readonly log: Log;
}

export const providerTokensColumn = encryptedTextColumn(
  { table: "provider_sessions", column: "tokens", row: { session: "session_id" } },
  ({ session }) => `provider_sessions ${session}`,
);

/** Longer than a call to the provider takes, including its timeout. */
const checkSeconds = 30;

/** The provider's part of sessions, and whether it lets them go on. Decision 0501. */
export class ProviderSessions {
  readonly #parts: ProviderSessionParts;
  constructor(parts: ProviderSessionParts) {
    this.#parts = parts;
  }

  /** Call it in the transaction that starts the session. */
  async keep(trx: Kysely<Database>, sessionId: string, person: ProviderPerson, tokens: ProviderTokens): Promise<void> {
    const { sid } = tokens;
    await trx
      .insertInto("provider_sessions")
      .values({
        session_id: sessionId,
        person_hash: person.hash,
        sid_hash: sid === undefined ? null : hashOfSecret(sid),
        tokens: this.#encrypted(sessionId, tokens),
        checking_until: null,
        unreachable_since: null,
      })
      .execute();
  }

  /**
   * Asks the provider whether a session that is being renewed may go on, and takes over roles, groups and name. Refuses with
   * `provider-ended` and ends the session if not. No connection to the database waits for the provider; of concurrent renewals, one
   * asks, because providers accept a refresh token once.
   */
  async check({ id, userId, signedInAtMs }: OpenSession): Promise<void> {
    const { db, masterKey, provider, uncheckedMinutes } = this.#parts;
    const held = await db
      .updateTable("provider_sessions")
      .set({ checking_until: sql<Date>`now() + make_interval(secs => ${checkSeconds})` })
      .where("session_id", "=", id)
      .where(sql<boolean>`coalesce(checking_until < now(), true)`)
      .returning(["person_hash as personHash", "tokens"])
      .executeTakeFirst();
    if (!held) return;
    if (!provider) return this.#end(id, userId, "The sign-in service that started this session is no longer used here.");
    const tokens = openTokens(masterKey, id, held.tokens);
    if (tokens.refreshToken === undefined) {
      if (Date.now() - signedInAtMs <= uncheckedMinutes * 60_000) return this.#goOn(id, userId);
      return this.#end(id, userId, `Your session has ended. Please sign in with ${provider.displayName} again.`);
    }
    const confirmation = await provider.confirm(tokens.refreshToken);
    if (confirmation.kind === "unreachable") return this.#bridge(id, userId);
    if (confirmation.kind === "refused") return this.#refuse(id, userId, confirmation.reason);
    const { person, tokens: next } = confirmation;
    if (person.hash !== held.personHash) return this.#refuse(id, userId, "the person is another one");
    if (person.grants?.isAllowed === false) return this.#refuse(id, userId, "the person has none of the required roles and groups");
    await this.#confirm(id, userId, person, { ...tokens, ...withoutUndefined(next) });
  }

  /**
   * Ends the session of a refresh token. Undefined if it was not started at the provider or has ended already; otherwise the ID token
   * that tells the provider who signs out, if it is known.
   */
  async end(refreshToken: string): Promise<{ idToken: string | undefined } | undefined> {
    const { db, masterKey, states } = this.#parts;
    const held = await db
      .selectFrom("refresh_tokens")
      .innerJoin("provider_sessions", "provider_sessions.session_id", "refresh_tokens.session_id")
      .select(["provider_sessions.session_id as id", "provider_sessions.tokens"])
      .where("refresh_tokens.hash", "=", hashOfSecret(refreshToken))
      .executeTakeFirst();
    if (!held) return undefined;
    await db.deleteFrom("sessions").where("id", "=", held.id).execute();
    await states.changed("session", held.id);
    return { idToken: openTokens(masterKey, held.id, held.tokens).idToken };
  }

  /**
   * Ends the sessions that the provider says have ended there, of its current issuer. Returns their user; undefined if there were
   * none. Refuses with `invalid-request` for a notice that was used before.
   */
  async endByNotice(notice: EndedAtProvider): Promise<{ id: string; username: string } | undefined> {
    const { db, states, log } = this.#parts;
    const { id, issuer, personHash, sid } = notice;
    if (personHash === undefined && sid === undefined) throw new Error("a notice that names neither a session nor a person");
    const ended = await db.transaction().execute(async (trx) => {
      if (!(await spendCode(trx, JSON.stringify(["logout token", issuer, id])))) {
        throw new Refusal("invalid-request", "The logout token was used before.");
      }
      return trx
        .deleteFrom("sessions")
        .using("users")
        .whereRef("users.id", "=", "sessions.user_id")
        .where("sessions.id", "in", (sessions) =>
          sessions
            .selectFrom("provider_sessions")
            .innerJoin("provider_links", "provider_links.person_hash", "provider_sessions.person_hash")
            .select("provider_sessions.session_id")
            .where("provider_links.issuer", "=", issuer)
            .$if(sid !== undefined, (all) => all.where("provider_sessions.sid_hash", "=", hashOfSecret(sid ?? "")))
            .$if(personHash !== undefined, (all) => all.where("provider_sessions.person_hash", "=", personHash ?? "")),
        )
        .returning(["users.id", "users.username", "sessions.id as sessionId"])
        .execute();
    });
    log.info({ userId: ended[0]?.id, sessionIds: ended.map(({ sessionId }) => sessionId) }, "the identity provider ended sessions");
    for (const userId of new Set(ended.map((session) => session.id))) await states.changed("user", userId);
    return ended[0];
  }

  async #confirm(id: string, userId: string, person: ProviderPerson, tokens: ProviderTokens): Promise<void> {
    const { db, states } = this.#parts;
    const outcome = await db.transaction().execute(async (trx) => {
      const link = await findLink(trx, person);
      if (link?.userId !== userId) return "unlinked";
      const changed = await applyClaims(trx, link, person);
      await trx
        .updateTable("provider_sessions")
        .set({ tokens: this.#encrypted(id, tokens), checking_until: null, unreachable_since: null })
        .where("session_id", "=", id)
        .execute();
      return (await clearRenewalDue(trx, id)) || changed ? "changed" : "same";
    });
    if (outcome === "unlinked") return this.#refuse(id, userId, "the person is no longer linked to the account");
    if (outcome === "changed") await states.changed("user", userId);
  }

  async #goOn(id: string, userId: string): Promise<void> {
    const { db, states } = this.#parts;
    await db.updateTable("provider_sessions").set({ checking_until: null }).where("session_id", "=", id).execute();
    if (await clearRenewalDue(db, id)) await states.changed("user", userId);
  }

  /** Lets the session go on for a while although the provider cannot be reached. */
  async #bridge(id: string, userId: string): Promise<void> {
    const { db, states, provider, graceMinutes } = this.#parts;
    const bridged = await db
      .updateTable("provider_sessions")
      .set({ checking_until: null, unreachable_since: sql<Date>`coalesce(unreachable_since, now())` })
      .where("session_id", "=", id)
      .returning(sql<boolean>`unreachable_since <= now() - make_interval(mins => ${graceMinutes})`.as("isOver"))
      .executeTakeFirst();
    if (bridged?.isOver === true) {
      return this.#end(
        id,
        userId,
        `${provider?.displayName ?? "The sign-in service"} could not be reached for ${graceMinutes} minutes, so your session has ended. Please sign in again once it is back.`,
      );
    }
    if (await clearRenewalDue(db, id)) await states.changed("user", userId);
  }

  /** Ends the session. The account's other sessions at the provider have to be renewed before their next call. */
  async #refuse(id: string, userId: string, reason: string): Promise<void> {
    const { db, provider, log } = this.#parts;
    log.info({ userId, sessionId: id, reason }, "the identity provider did not renew a session, which has ended");
    await db
      .updateTable("sessions")
      .set({ renewal_due: true })
      .where("user_id", "=", userId)
      .where("id", "in", (sessions) => sessions.selectFrom("provider_sessions").select("session_id"))
      .execute();
    return this.#end(id, userId, `${provider?.displayName ?? "The sign-in service"} has ended your session. Please sign in again.`);
  }

  async #end(id: string, userId: string, message: string): Promise<void> {
    const { db, states } = this.#parts;
    await db.deleteFrom("sessions").where("id", "=", id).execute();
    await states.changed("user", userId);
    throw new Refusal("provider-ended", message);
  }

  #encrypted(session: string, { refreshToken, idToken }: ProviderTokens): string {
    return this.#parts.masterKey.encrypt(JSON.stringify({ refreshToken, idToken }), providerTokensColumn.contextOf({ session }));
  }
}

const openTokens = (key: Pick<MasterKey, "decrypt">, session: string, cipher: string): ProviderTokens =>
  providerTokens.parse(JSON.parse(key.decrypt(cipher, providerTokensColumn.contextOf({ session })).toString()));

/** Whether the session had to be renewed before its next call. */
async function clearRenewalDue(db: Kysely<Database>, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("sessions")
    .set({ renewal_due: false })
    .where("id", "=", id)
    .where("renewal_due", "=", true)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

const withoutUndefined = ({ refreshToken, idToken }: ProviderTokens): ProviderTokens => ({
  ...(refreshToken === undefined ? {} : { refreshToken }),
  ...(idToken === undefined ? {} : { idToken }),
});
