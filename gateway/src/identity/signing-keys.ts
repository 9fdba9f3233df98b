import { generateKeyPairSync, randomUUID } from "node:crypto";
import { type Kysely, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import { encryptedTextColumn } from "#secrets/encrypted-column.ts";
import type { MasterKey } from "#secrets/master-key.ts";
import { asPortal } from "#turns/caller.ts";
import { type Announcements, type Log, announce } from "./announce.ts";
import { type Sign, type Verify, createTokenSigner, createTokenVerifier } from "./jwt.ts";

const channel = "signing_keys";
/** Ensures that one gateway at a time creates a key. Arbitrary, but must not be used by another advisory lock. */
const rotationLock = 7_102_002;
// Upper bound on staleness if a NOTIFY of a new key is missed. Until then, the gateway signs with the old key.
const reloadAfterMs = 60_000;
// Minimum interval between lookups of unknown keys, because attackers can invent any number of key ids.
const unknownKeyIntervalMs = 1_000;

interface Options {
  readonly db: Kysely<Database>;
  readonly masterKey: Pick<MasterKey, "encrypt" | "decrypt">;
  readonly notifications: Announcements;
  readonly log: Log;
  readonly rotateAfterDays: number;
  /** Maximum lifetime of a signed token. */
  readonly tokenSeconds: number;
}

/** The keys that sign tokens. Stored in the database, encrypted with the master key, and shared by all gateways. Decision 0020. */
export class SigningKeys {
  readonly #options: Options;
  #keys: ReadonlyMap<string, Verify> = new Map();
  #signer: { kid: string; sign: Sign; expiresAtMs: number } | undefined;
  #loadedAtMs = 0;
  #lastUnknownLookupMs = 0;
  #loading: Promise<void> | undefined;

  private constructor(options: Options) {
    this.#options = options;
  }

  static async open(options: Options): Promise<SigningKeys> {
    const keys = new SigningKeys(options);
    await options.notifications.on(channel, () => void keys.#onNotification());
    await keys.signer();
    return keys;
  }

  /** Signs with the newest key; creates a new one if there is none or it is too old. */
  async signer(): Promise<Sign> {
    if (Date.now() - this.#loadedAtMs > reloadAfterMs) await this.#load();
    if (this.#signer === undefined || this.#signer.expiresAtMs <= Date.now()) {
      await this.#rotate();
      await this.#load();
    }
    if (this.#signer === undefined) throw new Error("there is no key for signing tokens");
    return this.#signer.sign;
  }

  /** The verifier of a known key. */
  verifierOf(kid: string): Verify | undefined {
    return this.#keys.get(kid);
  }

  /** The verifier of a key that this gateway may not have loaded yet. */
  async lookUp(kid: string): Promise<Verify | undefined> {
    if (this.#loading === undefined) {
      if (Date.now() - this.#lastUnknownLookupMs < unknownKeyIntervalMs) return undefined;
      this.#lastUnknownLookupMs = Date.now();
    }
    await this.#load();
    return this.verifierOf(kid);
  }

  async #onNotification(): Promise<void> {
    try {
      // A running load may have read the keys before the change.
      await this.#loading;
      await this.#load();
    } catch (error) {
      this.#options.log.warn({ err: error }, "the signing keys could not be reloaded; the next token tries again");
      this.#loadedAtMs = 0;
    }
  }

  #load(): Promise<void> {
    this.#loading ??= asPortal(() => this.#read()).finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #read(): Promise<void> {
    const { db, rotateAfterDays } = this.#options;
    const rows = await db
      .selectFrom("signing_keys")
      .selectAll()
      .where((row) => row.not(this.#superseded()))
      .orderBy("created_at", "desc")
      .orderBy("kid")
      .execute();
    const newest = rows[0];
    if (newest) {
      const sign = newest.kid === this.#signer?.kid ? this.#signer.sign : this.#signerOf(newest);
      this.#signer = { kid: newest.kid, sign, expiresAtMs: newest.created_at.getTime() + rotateAfterDays * 86_400_000 };
    }
    this.#keys = new Map(rows.map((row) => [row.kid, this.#keys.get(row.kid) ?? createTokenVerifier(row.public_key)]));
    this.#loadedAtMs = Date.now();
  }

  #signerOf({ kid, private_key }: { kid: string; private_key: string }): Sign {
    return createTokenSigner(kid, this.#options.masterKey.decrypt(private_key, privateKeyColumn.contextOf({ kid })).toString());
  }

  async #rotate(): Promise<void> {
    const { db, masterKey, rotateAfterDays, notifications, log } = this.#options;
    const kid = randomUUID();
    const isCreated = await db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(${rotationLock})`.execute(trx);
      const current = await trx
        .selectFrom("signing_keys")
        .select("kid")
        .where(sql<boolean>`created_at > clock_timestamp() - make_interval(days => ${rotateAfterDays})`)
        .executeTakeFirst();
      // Another gateway has created it.
      if (current) return false;
      const { publicKey, privateKey } = generateKeyPairSync("ec", {
        namedCurve: "P-256",
        publicKeyEncoding: { type: "spki", format: "pem" },
        privateKeyEncoding: { type: "pkcs8", format: "pem" },
      });
      await trx
        .insertInto("signing_keys")
        .values({ kid, public_key: publicKey, private_key: masterKey.encrypt(privateKey, privateKeyColumn.contextOf({ kid })) })
        .execute();
      await trx.deleteFrom("signing_keys").where(this.#superseded()).execute();
      return true;
    });
    if (!isCreated) return;
    log.info({ kid }, "created a new key for signing access tokens");
    await announce(notifications, log, channel, kid);
  }

  /** Keys that have signed no valid token: a newer key is older than any token, and every gateway had loaded it by then. */
  #superseded() {
    const seconds = this.#options.tokenSeconds + (2 * reloadAfterMs) / 1_000;
    return sql<boolean>`exists (
      select from signing_keys newer
      where newer.created_at > signing_keys.created_at and newer.created_at < now() - make_interval(secs => ${seconds})
    )`;
  }
}

export const privateKeyColumn = encryptedTextColumn(
  { table: "signing_keys", column: "private_key", row: { kid: "kid" } },
  ({ kid }) => `signing-key:${kid}`,
);
