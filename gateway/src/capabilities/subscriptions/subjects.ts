import type { Board } from "@fairway/contract/boards";
import { parseSavedQuery, type SavedSearch } from "@fairway/contract/saved-searches";
import type { Subscribed } from "@fairway/contract/subscriptions";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { searchLink } from "#personal/search-link.ts";
import type { Subject } from "./gather.ts";

/** A board or saved search that the user may read now. */
export interface ReadableSubject {
  readonly subject: Subject;
  readonly name: string;
  /** Path within the web app; null if an address cannot hold the search. */
  readonly link: string | null;
  /** Changes with the content. */
  readonly version: string;
}

export type FindSubject = (user: SignedInUser, of: Subscribed) => Promise<ReadableSubject | "gone" | "unreadable">;

export interface SubjectParts {
  readonly findBoard: (user: SignedInUser, id: string) => Promise<Board | "gone" | "unreadable">;
  readonly findSavedSearch: (user: SignedInUser, id: string) => Promise<SavedSearch | "gone" | "unreadable">;
}

export const subjectFinder =
  ({ findBoard, findSavedSearch }: SubjectParts): FindSubject =>
  async (user, of) => {
    if (of.boardId !== undefined) {
      const board = await findBoard(user, of.boardId);
      if (typeof board === "string") return board;
      return { subject: { board }, name: board.name, link: `/boards/${encodeURIComponent(board.id)}`, version: String(board.version) };
    }
    const saved = await findSavedSearch(user, of.savedSearchId ?? "");
    if (typeof saved === "string") return saved;
    return { subject: { savedSearch: saved }, name: saved.queryName, link: linkOf(saved), version: saved.query };
  };

function linkOf(saved: SavedSearch): string | null {
  const parsed = parseSavedQuery(saved.query);
  return "query" in parsed ? searchLink(saved, parsed.query) : null;
}
