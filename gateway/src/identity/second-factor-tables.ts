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
}
