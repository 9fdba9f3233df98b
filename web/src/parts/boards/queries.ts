import { boards, type Board, type BoardDraft, type PanelContent } from "@fairway/contract/boards";
import type { CallOf } from "@fairway/contract/route";
import type { ShareDraft } from "@fairway/contract/sharing";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";
import { queryClient } from "#lib/gateway/query-client.ts";

/** The boards that the user owns or that others share with the user. */
export const boardsQuery = queryOptions({
  queryKey: ["boards"],
  queryFn: ({ signal }) => call(boards.list, {}, { signal }),
});

export const boardQuery = (id: string) =>
  queryOptions({
    queryKey: ["boards", id],
    queryFn: ({ signal }) => call(boards.read, { params: { id } }, { signal }),
    // A board being edited must not change under its reader.
    refetchOnWindowFocus: false,
  });

export const boardRevisionsQuery = (id: string) =>
  queryOptions({
    queryKey: ["boards", id, "revisions"],
    queryFn: ({ signal }) => call(boards.revisions, { params: { id } }, { signal }),
    staleTime: 0,
  });

/** A saved state of a board. */
export const readRevision = (id: string, version: number) => call(boards.revision, { params: { id, version: String(version) } });

export async function createBoard(draft: BoardDraft): Promise<Board> {
  const board = await call(boards.create, { body: draft });
  await settle(board);
  return board;
}

/** Rejects with `stale-version` if the board was saved since `change.version`, and reads it again then. */
export async function editBoard(id: string, change: CallOf<typeof boards.edit>["body"]): Promise<Board> {
  try {
    const board = await call(boards.edit, { params: { id }, body: change });
    await settle(board);
    return board;
  } catch (error) {
    void queryClient.invalidateQueries({ ...boardQuery(id), exact: true });
    throw error;
  }
}

export async function addPanel(id: string, panel: PanelContent): Promise<void> {
  await call(boards.addPanel, { params: { id }, body: { panel } });
  await queryClient.invalidateQueries({ queryKey: boardsQuery.queryKey });
}

export async function shareBoard(id: string, shares: ShareDraft[]): Promise<void> {
  const summary = await call(boards.share, { params: { id }, body: { shares } });
  queryClient.setQueryData(boardQuery(id).queryKey, (board) => board && { ...board, ...summary });
  await queryClient.invalidateQueries({ ...boardsQuery, exact: true });
}

/** Gives the board to somebody who can edit it. */
export async function giveBoard(id: string, userId: string): Promise<void> {
  await call(boards.transfer, { params: { id }, body: { userId } });
  await queryClient.invalidateQueries(boardsQuery);
}

/** Removes the user's own share. */
export async function leaveBoard(id: string): Promise<void> {
  await call(boards.leave, { params: { id } });
  queryClient.removeQueries({ queryKey: ["boards", id] });
  await queryClient.invalidateQueries({ ...boardsQuery, exact: true });
}

export async function removeBoard(id: string): Promise<void> {
  await call(boards.remove, { params: { id } });
  queryClient.removeQueries({ queryKey: ["boards", id] });
  await queryClient.invalidateQueries({ ...boardsQuery, exact: true });
}

async function settle(board: Board): Promise<void> {
  queryClient.setQueryData(boardQuery(board.id).queryKey, board);
  await queryClient.invalidateQueries({ ...boardsQuery, exact: true });
}
