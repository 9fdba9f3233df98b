import { createHash, randomUUID } from "node:crypto";
import type { Passkey, PasskeyAssertion, PasskeyCreation, PasskeyRegistration, PasskeyRequest } from "@fairway/contract/passkeys";
import { type ColumnType, type Kysely, sql } from "kysely";
import { countedInsert } from "#database/counted-insert.ts";
import { nameKey } from "#database/name-key.ts";
import type { Database } from "#database/schema.ts";
import { Refusal } from "#http/refusal.ts";
import type { Log } from "./announce.ts";
import { PasskeyChallenges } from "./passkey-challenges.ts";
import { verifyAssertion, verifyRegistration } from "./passkey-verification.ts";
import { dropUnneededRecoveryCodes, lockSecondFactors, secondFactorAdded } from "./recovery-codes.ts";
import { relyingPartyOf } from "./relying-party.ts";
import type { PasskeyPurpose } from "./passkey-challenges.ts";
import { noteSecurityEvents } from "./security-events.ts";

declare module "#database/schema.ts" {
  interface Database {
    passkeys: {
      id: string;
      user_id: string;
      name: string;
      /** `nameKey(name)`; unique per account. */
      name_key: string;
      /** Base64url; unique. */
      credential_id: string;
      /** COSE key from the authenticator. */
      public_key: Uint8Array;
      /** Counter of the latest accepted proof; always 0 for authenticators without a counter. */
      counter: ColumnType<string, number, number>;
      transports: string[];
      /** The host name that it was registered for. */
      rp_id: string;
      created_at: ColumnType<Date, never, never>;
      last_used_at: Date | null;
    };
  }
}

interface PasskeyParts {
  readonly db: Kysely<Database>;
  readonly log: Log;
  /** Relying party name, shown by the browser. */
  readonly issuer: string;
  /** The configured public URL of the portal. */
  readonly publicUrl: string | undefined;
  readonly maxPasskeys: number;
  /** Lifetime of challenges. */
  readonly seconds: number;
}

interface SessionUser {
  readonly id: string;
  readonly sessionId: string;
}

const passkeyColumns = ["id", "name", "rp_id as host", "created_at as addedAt", "last_used_at as lastUsedAt"] as const;

/** COSE identifiers of EdDSA, ES256 and RS256. */
const algorithms = [-8, -7, -257];

/** Passkeys of accounts (WebAuthn). Decision 0191. */
export class Passkeys {
  readonly #parts: PasskeyParts;
  readonly #challenges: PasskeyChallenges;

  constructor(parts: PasskeyParts) {
    this.#parts = parts;
    this.#challenges = new PasskeyChallenges(parts.db, parts.seconds);
  }

  async listFor(userId: string): Promise<Passkey[]> {
    const rows = await this.#parts.db
      .selectFrom("passkeys")
      .select(passkeyColumns)
      .where("user_id", "=", userId)
      .orderBy("created_at")
      .orderBy("id")
      .execute();
    return rows.map(toPasskey);
  }

  /**
   * Creates the browser request for a new passkey. `origin` is the requested origin. Refuses with `not-supported` if passkeys do
   * not work there, with `name-taken`, and with `conflict` if the account has too many.
   */
  async begin(user: SessionUser & { readonly username: string }, name: string, origin: string): Promise<PasskeyCreation> {
    const { publicUrl, issuer, seconds } = this.#parts;
    const party = relyingPartyOf(origin, publicUrl);
    if (!party)
      throw new Refusal("not-supported", "Passkeys need https and a host name, or localhost. Open the portal at such an address.");
    // Already here, so that nobody asks an authenticator in vain; what counts is the same check when it is added.
    await this.#requireRoom(this.#parts.db, user.id, name);
    const challenge = await this.#challenges.issue(user.sessionId, "add", party, name);
    return {
      challenge: challenge.toString("base64url"),
      rp: { id: party.id, name: issuer },
      user: { id: userHandle(user.id), name: user.username, displayName: user.username },
      pubKeyCredParams: algorithms.map((alg) => ({ type: "public-key", alg })),
      excludeCredentials: await this.#credentialsOf(user.id, party.id),
      // Used in addition to a password, so a security key without a PIN is sufficient.
      authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
      attestation: "none",
      timeout: seconds * 1_000,
    };
  }

  /** Refuses with `invalid-value` for `passkey`, with `not-found` if none is being added, and like `begin`. */
  async add(user: SessionUser, registration: PasskeyRegistration): Promise<{ passkey: Passkey; recoveryCodes: string[] }> {
    const { db, log } = this.#parts;
    const challenge = await this.#challenges.spend(user.sessionId, "add");
    if (!challenge) throw new Refusal("not-found", "No passkey is being added, or it took too long. Start again.");
    const credential = await verifyRegistration(registration, challenge, algorithms, (reason) =>
      log.info({ userId: user.id, reason }, "a new passkey was refused"),
    );
    if (!credential) throw new Refusal("invalid-value", "The passkey could not be checked. Start again.", { path: "passkey" });
    const name = challenge.name ?? "";
    return db.transaction().execute(async (trx) => {
      await lockSecondFactors(trx, user.id);
      const added = await countedInsert(trx, {
        kind: "passkeys",
        owner: user.id,
        requireRoom: (counted) => this.#requireRoom(counted, user.id, name),
        insert: (counted) =>
          counted
            .insertInto("passkeys")
            .values({
              id: randomUUID(),
              user_id: user.id,
              name,
              name_key: nameKey(name),
              credential_id: credential.credentialId,
              public_key: credential.publicKey,
              counter: credential.counter,
              transports: credential.transports,
              rp_id: challenge.rpId,
            })
            .onConflict((conflict) => conflict.column("credential_id").doNothing())
            .returning(passkeyColumns)
            .executeTakeFirst(),
      });
      if (!added) throw new Refusal("conflict", "This passkey was already added.");
      const event = { userId: user.id, kind: "passkey-added", subject: name } as const;
      return { passkey: toPasskey(added), recoveryCodes: await secondFactorAdded(trx, user.sessionId, event) };
    });
  }

  /** Refuses with `not-found`, with `name-taken`. */
  async rename(userId: string, id: string, name: string): Promise<Passkey> {
    return this.#parts.db.transaction().execute(async (trx) => {
      await lockSecondFactors(trx, userId);
      await requireFreeName(trx, userId, name, id);
      const renamed = await trx
        .updateTable("passkeys")
        .set({ name, name_key: nameKey(name) })
        .where("user_id", "=", userId)
        .where("id", "=", id)
        .returning(passkeyColumns)
        .executeTakeFirst();
      if (!renamed) throw noSuchPasskey();
      return toPasskey(renamed);
    });
  }

  /** Refuses with `not-found`. */
  async remove(userId: string, id: string): Promise<void> {
    await this.#parts.db.transaction().execute(async (trx) => {
      await lockSecondFactors(trx, userId);
      const removed = await trx
        .deleteFrom("passkeys")
        .where("user_id", "=", userId)
        .where("id", "=", id)
        .returning("name")
        .executeTakeFirst();
      if (!removed) throw noSuchPasskey();
      await noteSecurityEvents(trx, [{ userId, kind: "passkey-removed", subject: removed.name }]);
      await dropUnneededRecoveryCodes(trx, userId);
    });
  }

  /** Creates the browser request to prove a passkey. Undefined if the account has none that works at this address. */
  async requestFor(user: SessionUser, purpose: Exclude<PasskeyPurpose, "add">, origin: string): Promise<PasskeyRequest | undefined> {
    const party = relyingPartyOf(origin, this.#parts.publicUrl);
    const allowCredentials = party ? await this.#credentialsOf(user.id, party.id) : [];
    if (!party || allowCredentials.length === 0) return undefined;
    const challenge = await this.#challenges.issue(user.sessionId, purpose, party);
    return {
      challenge: challenge.toString("base64url"),
      rpId: party.id,
      allowCredentials,
      userVerification: purpose === "alone" ? "required" : "preferred",
      timeout: this.#parts.seconds * 1_000,
    };
  }

  /** Whether the assertion proves a passkey of the user for the session's challenge. */
  async accepts(user: SessionUser, purpose: Exclude<PasskeyPurpose, "add">, assertion: PasskeyAssertion): Promise<boolean> {
    const { db, log } = this.#parts;
    const challenge = await this.#challenges.spend(user.sessionId, purpose);
    const passkey = await db
      .selectFrom("passkeys")
      .select(["id", "credential_id as credentialId", "public_key as publicKey", "counter", "rp_id as rpId"])
      .where("user_id", "=", user.id)
      .where("credential_id", "=", assertion.id)
      .executeTakeFirst();
    if (!challenge || passkey?.rpId !== challenge.rpId) return false;
    const { userHandle: handle } = assertion.response;
    if (handle != null && handle !== userHandle(user.id)) return false;
    const proof = { assertion, challenge, requiresUserVerification: purpose === "alone" };
    const counter = await verifyAssertion(proof, { ...passkey, counter: Number(passkey.counter) }, (reason) =>
      log.warn({ userId: user.id, passkeyId: passkey.id, reason }, "the proof of a passkey was refused"),
    );
    if (counter === undefined) return false;
    const used = await db
      .updateTable("passkeys")
      .set({ counter, last_used_at: sql<Date>`now()` })
      .where("id", "=", passkey.id)
      // Guards against concurrent proofs with the same counter. Authenticators without a counter send 0.
      .where((row) => row.or([row("counter", "<", String(counter)), row.and([row("counter", "=", "0"), row.val(counter === 0)])]))
      .returning("id")
      .executeTakeFirst();
    return used !== undefined;
  }

  sweep(): Promise<void> {
    return this.#challenges.sweep();
  }

  async #credentialsOf(userId: string, rpId: string): Promise<PasskeyRequest["allowCredentials"]> {
    const rows = await this.#parts.db
      .selectFrom("passkeys")
      .select(["credential_id as id", "transports"])
      .where("user_id", "=", userId)
      .where("rp_id", "=", rpId)
      .orderBy("created_at")
      .execute();
    return rows.map(({ id, transports }) => ({ id, type: "public-key", transports }));
  }

  async #requireRoom(db: Kysely<Database>, userId: string, name: string): Promise<void> {
    const { maxPasskeys } = this.#parts;
    const { count } = await db
      .selectFrom("passkeys")
      .select(({ fn }) => fn.countAll<string>().as("count"))
      .where("user_id", "=", userId)
      .executeTakeFirstOrThrow();
    if (Number(count) >= maxPasskeys) {
      throw new Refusal("conflict", `An account can have ${maxPasskeys} passkeys. Remove one that you no longer use.`);
    }
    await requireFreeName(db, userId, name);
  }
}

async function requireFreeName(db: Kysely<Database>, userId: string, name: string, except = ""): Promise<void> {
  const namesake = await db
    .selectFrom("passkeys")
    .select("id")
    .where("user_id", "=", userId)
    .where("name_key", "=", nameKey(name))
    .where("id", "!=", except)
    .executeTakeFirst();
  if (namesake) throw new Refusal("name-taken", "Another passkey of yours has this name.", { path: "name" });
}

const noSuchPasskey = () => new Refusal("not-found", "There is no such passkey.");

/** A hash, so that the authenticator does not reveal the account. */
const userHandle = (userId: string): string => createHash("sha256").update(`passkeys:${userId}`).digest("base64url");

const toPasskey = (row: { id: string; name: string; host: string; addedAt: Date; lastUsedAt: Date | null }): Passkey => ({
  id: row.id,
  name: row.name,
  host: row.host,
  addedMs: row.addedAt.getTime(),
  lastUsedMs: row.lastUsedAt?.getTime() ?? null,
});
