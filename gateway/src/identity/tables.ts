import type { ColumnType, Generated } from "kysely";

/** A time that the database sets. */
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
      /** Argon2id, encoded with its parameters; null if the account has no password. */
      password_hash: string | null;
      require_password_change: Generated<boolean>;
      /** Locked by an administrator. */
      locked: Generated<boolean>;
      /** Incremented on each save, as for entities. */
      version: Generated<number>;
      created_at: SetByDatabase;
    };
    groups: { id: string; name: string; version: Generated<number> };
    roles: { id: string; name: string; version: Generated<number> };
    user_groups: { user_id: string; group_id: string };
    user_roles: { user_id: string; role_id: string };
    group_roles: { group_id: string; role_id: string };

    /** Sessions. A session that ends is deleted together with its refresh tokens. */
    sessions: {
      id: string;
      user_id: string;
      /**
       * `password-reset`: a forced password update. `second-factor`: a sign-in that waits for its second factor. Both are limited
       * to that step and have no refresh token.
       */
      purpose: SessionPurpose;
      signed_in_at: SetByDatabase;
      /** When the user authenticated at the OpenID Connect provider, long before the sign-in perhaps; null = with the sign-in. */
      authenticated_at: Date | null;
      /** The session counts as ended until it is renewed. */
      renewal_due: Generated<boolean>;
      /** Whether a second factor was proven, or a card or the OpenID Connect provider, which count as two factors. */
      second_factor: Generated<boolean>;
      /** Address and user agent of the last sign-in or refresh. */
      ip_address: Generated<string>;
      user_agent: Generated<string>;
      /** Rounded to the minute. */
      last_used_at: Generated<Date>;
      expires_at: Date;
    };
    refresh_tokens: {
      /** SHA-256 (hex) of the token. */
      hash: string;
      session_id: string;
      /** The token that was exchanged for this one. */
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
      /** SHA-256 (hex) of the username key, because people sometimes type passwords into the username field. */
      account: string;
      address: string;
      /** `pending`: the password is being checked; counts as a failure until released. `void`: the account was locked; does not count. */
      state: "pending" | "failed" | "void";
      at: SetByDatabase;
    };
    /** Lockouts after failures; the address `*` applies to all addresses. */
    login_locks: { account: string; address: string; until: Date };
  }
}
