import type { ColumnType } from "kysely";

export interface CardTables {
  /** A card opens one account, and an account has one card. */
  card_links: {
    user_id: string;
    /** Whose card it is: one of an issuer that the portal no longer asks opens nothing. */
    issuer: string;
    /** `Card.hash`; unique. */
    card_hash: string;
    linked_at: ColumnType<Date, never, never>;
  };
  /** Codes that were turned in, sha256, hex: each once, whatever the issuer thinks of it. */
  spent_card_codes: { hash: string; spent_at: ColumnType<Date, never, never> };
}
