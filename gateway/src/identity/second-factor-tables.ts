import type { ColumnType, Generated } from "kysely";

/** Second factors of accounts. */
export interface SecondFactorTables {
  /** One per account at most. */
  authenticators: {
    user_id: string;
    /** Base32, encrypted with the master key. */
    secret: string;
    created_at: ColumnType<Date, never, Date>;
    /** Null while the setup waits for a first code. */
    confirmed_at: Date | null;
    /** The time step of the latest accepted code: no code counts twice. */
    last_step: Generated<number>;
    last_used_at: Date | null;
  };
  recovery_codes: {
    user_id: string;
    /** sha256 of the code without its dashes, hex. */
    hash: string;
    used_at: Date | null;
  };
  passkeys: {
    id: string;
    user_id: string;
    name: string;
    /** Tells names apart; unique for the account. */
    name_key: string;
    /** Base64url; unique. */
    credential_id: string;
    /** COSE, as the authenticator gave it. */
    public_key: Uint8Array;
    /** Of the latest accepted proof. Many authenticators do not count: 0. */
    counter: ColumnType<string, number, number>;
    transports: string[];
    /** The host name that it was added at, which it works for. */
    rp_id: string;
    created_at: ColumnType<Date, never, never>;
    last_used_at: Date | null;
  };
  /** What a session's browser was asked to sign; it counts once. */
  passkey_challenges: {
    session_id: string;
    purpose: PasskeyPurpose;
    /** Base64url. */
    challenge: string;
    rp_id: string;
    origin: string;
    /** Of the passkey that is being added. */
    name: string | null;
    expires_at: Date;
  };
}

/** `add`: a new passkey. `second-factor`: beside a password. `alone`: in the place of password and second factor. */
export type PasskeyPurpose = "add" | "second-factor" | "alone";
