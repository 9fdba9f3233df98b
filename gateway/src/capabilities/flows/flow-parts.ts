import type { Kysely } from "kysely";
import type { Database } from "#database/schema.ts";
import type { FlowContents } from "./contents.ts";
import type { Membership } from "./membership.ts";
import type { FlowNotifications } from "./notifications.ts";

/** Parts that the handlers share. */
export interface FlowParts {
  readonly db: Kysely<Database>;
  /** Whether administrators may accept requests that they created. */
  readonly selfAccept: boolean;
  readonly membership: Membership;
  readonly notifications: FlowNotifications;
  readonly contents: FlowContents;
  /** Bytes of contents that one user may add within 24 hours. */
  readonly userDailyFlowBytes: number;
}
