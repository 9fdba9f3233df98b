import type { FeedbackStatus, FeedbackType } from "@fairway/contract/feedback";
import type { ColumnType, Generated } from "kysely";

export interface FeedbackTables {
  feedback: {
    id: string;
    user_id: string | null;
    username: string;
    name: string;
    email: string;
    type: FeedbackType;
    /** As it was written. */
    description: string;
    /** `categoryId/datasetId` */
    datasets: string[];
    status: Generated<FeedbackStatus>;
    created_at: ColumnType<Date, never, never>;
    status_at: ColumnType<Date | null, never, Date>;
  };
  /** Files of feedback, and files that wait for theirs to be submitted. */
  feedback_attachments: {
    id: string;
    user_id: string | null;
    feedback_id: string | null;
    /** Among the attachments of one submission, from 0. */
    place: number | null;
    filename: string;
    /** Bytes; null while the file is not whole, or is going. */
    size: number | null;
    created_at: ColumnType<Date, never, never>;
  };
}
