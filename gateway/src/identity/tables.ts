import type { ColumnType, Generated } from "kysely";

/** A time that the database sets by itself. */
type SetByDatabase = ColumnType<Date, never, never>;

export type SessionPurpose = "ordinary" | "password-reset" | "second-factor";

/** Accounts, sessions and keys. Ids are random texts without '/'. */
declare module "#database/schema.ts" {
  interface Database {
    users: {
      id: string;
      username: string;
      /** `usernameKey(username)`; unique. */
      username_key: string;
      email: string | null;
      first_name: string | null;
      last_name: string | null;
      /** argon2id, encoded with its parameters; null where the account has no password. */
      password_hash: string | null;
      require_password_change: Generated<boolean>;
      /** An administrator's lock, until an administrator ends it. */
      locked: Generated<boolean>;
      /** Counts up with each save, as of everything that administrators keep. */
      version: Generated<number>;
      created_at: SetByDatabase;
    };
    groups: { id: string; name: string; version: Generated<number> };
    roles: { id: string; name: string; version: Generated<number> };
    user_groups: { user_id: string; group_id: string };
    user_roles: { user_id: string; role_id: string };
    group_roles: { group_id: string; role_id: string };

    /** Living sessions; one that ends is deleted, and its refresh tokens with it. */
    sessions: {
      id: string;
      user_id: string;
      /**
       * `password-reset`: a forced password update. `second-factor`: a sign-in that waits for its second factor. Both may do
       * nothing else and have no refresh token.
       */
      purpose: SessionPurpose;
      signed_in_at: SetByDatabase;
      /** Proven by a second factor, or by a card, which counts as two. */
      second_factor: Generated<boolean>;
      /** From where, and with what, it was signed in or renewed last. */
      ip_address: Generated<string>;
      user_agent: Generated<string>;
      /** To the minute. */
      last_used_at: Generated<Date>;
      expires_at: Date;
    };
    refresh_tokens: {
      /** sha256 of the token, hex. */
      hash: string;
      session_id: string;
      /** The token that this one was given for. */
      parent_hash: string | null;
      spent: Generated<boolean>;
      expires_at: Date;
    };
    signing_keys: {
      kid: string;
      /** SPKI, PEM. */
      public_key: string;
      /** PKCS#8, PEM, encrypted with the master key. */
      private_key: string;
      created_at: SetByDatabase;
    };
    /** At most one row: the link that creates the first administrator. */
    setup_tokens: { hash: string; expires_at: Date };

    /** One row per address and running minute. */
    login_rates: { address: string; window_start: Date; attempts: number; failures: number };
    login_failures: {
      id: Generated<string>;
      /** sha256 of the username's key, hex: people type passwords into the username box. */
      account: string;
      address: string;
      /** `pending` while the password is being checked: counts, but may turn out right. `void`: of a locked account, counts nothing. */
      state: "pending" | "failed" | "void";
      at: SetByDatabase;
    };
    /** Locks that failures caused; address `*` locks for all. */
    login_locks: { account: string; address: string; until: Date };
  }
}
