import type { BoardDraft } from "@fairway/contract/boards";

/** A board for an empty portal. */
export interface BoardRecipe {
  readonly id: string;
  /** Username. */
  readonly owner: string;
  readonly board: BoardDraft;
}
