import type { AlertDraft } from "@fairway/contract/alerts";
import type { DatasetRef } from "@fairway/contract/datasets";

/** An alert for an empty portal, with the saved search that it watches. */
export interface AlertRecipe {
  /** Of the alert and of its saved search. */
  readonly id: string;
  /** Username. */
  readonly owner: string;
  /** `query` is JSON, see `SavedQuery`. */
  readonly savedSearch: DatasetRef & { readonly queryName: string; readonly description: string; readonly query: string };
  readonly alert: Omit<AlertDraft, "savedSearchId">;
}
