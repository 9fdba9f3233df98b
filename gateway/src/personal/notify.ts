import type { DatasetRef } from "@fairway/contract/datasets";
import type { Transaction } from "kysely";
import type { Database } from "#database/schema.ts";
import type { ScopeKeys } from "./scope-keys.ts";

/** A message to users about something that concerns them. Texts are plain and are cut if they are too long. */
export interface NewNotification {
  /** One sentence. */
  readonly title: string;
  readonly text?: string;
  /** Path within the web app, with encoded names. */
  readonly link?: string;
  /** While it is unread, the next notification of the same topic replaces it. */
  readonly topic?: string;
  /** Shown only while the user may read this dataset. */
  readonly dataset?: DatasetRef;
  /** Of a text with figures of rows: shown only while the user sees the same of the dataset. */
  readonly scopeKeys?: ScopeKeys;
  /** Shown only while the user holds this role. */
  readonly role?: string;
  /** By email: at once, or never. Default: once it has not been read for a while. */
  readonly email?: "at-once" | "never";
}

export interface Notifier {
  /** Notifies users by their ids; ids of no user are ignored. Call it after the reported change is stored: failures are logged and do not reject. */
  notify(userIds: readonly string[], notification: NewNotification): Promise<void>;
  /** Removes the unread notifications of a topic that no longer applies, of all users. */
  retract(topic: string): Promise<void>;
}

/** For what must not be stored without its message. */
export interface TransactionalNotifier extends Notifier {
  /**
   * Like `notify`, in the transaction that stores the reported change: either both are stored or none. Rejects if it fails. The
   * transaction locks the users' rows until its end. Resolves with the function that notifies their open tabs, to be called after the commit.
   */
  notifyWithin(transaction: Transaction<Database>, userIds: readonly string[], notification: NewNotification): Promise<() => void>;
}
