import type { ColumnType } from "kysely";

export interface NoticeTables {
  /** Which notices a user has viewed. */
  notice_views: {
    user_id: string;
    type: ColumnType<"notices", never, never>;
    notice_id: string;
    viewed_at: ColumnType<Date, never, never>;
  };
}
