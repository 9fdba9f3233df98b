import type { FlowCommentAnchor, FlowEvent, FlowFormat } from "@fairway/contract/flow-requests";
import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from "kysely";

type SetByDatabase = ColumnType<Date, never, never>;

declare module "#database/schema.ts" {
  interface Database {
    flows: {
      id: GeneratedAlways<number>;
      group_name: string;
      name: string;
      /** `nameKey` of the name. */
      name_key: string;
      created_by: string;
      created_at: SetByDatabase;
    };
    flow_requests: {
      id: GeneratedAlways<number>;
      flow_id: number;
      name: string;
      reason: Generated<string>;
      status: Generated<number>;
      creator_id: string;
      creator_username: string;
      reviewer_id: string | null;
      reviewer_username: string | null;
      /** Number of the last iteration. */
      iterations: Generated<number>;
      /** Those that are not deleted. */
      comments: Generated<number>;
      created_at: SetByDatabase;
      updated_at: ColumnType<Date, never, Date>;
    };
    flow_iterations: {
      id: GeneratedAlways<number>;
      request_id: number;
      number: number;
      creator_id: string;
      creator_username: string;
      /** Of the text in UTF-8. */
      bytes: number;
      format: FlowFormat;
      reason: Generated<string>;
      /** Compressed with gzip. */
      content: Buffer;
      created_at: SetByDatabase;
    };
    /** The main history of each flow, in the order of the numbers. */
    flow_main_iterations: {
      number: GeneratedAlways<number>;
      flow_id: number;
      iteration_id: number;
      accepted_by: string;
      accepted_at: SetByDatabase;
    };
    flow_comments: {
      id: GeneratedAlways<number>;
      request_id: number;
      commenter_id: string;
      commenter_username: string;
      text: string;
      /** Usernames. */
      mentions: JSONColumnType<string[]>;
      anchor: ColumnType<FlowCommentAnchor | null, string | null, never>;
      created_at: SetByDatabase;
      edited_at: ColumnType<Date | null, never, Date>;
      deleted_at: ColumnType<Date | null, never, Date>;
    };
    flow_events: {
      id: GeneratedAlways<number>;
      request_id: number;
      kind: FlowEvent["kind"];
      username: string;
      iteration_id: number | null;
      subject: Generated<string>;
      at: SetByDatabase;
    };
  }
}
