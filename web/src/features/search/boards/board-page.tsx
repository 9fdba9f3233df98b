import type { Board } from "@fairway/contract/boards";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { Button } from "@mantine/core";
import { GatewayError } from "#lib/gateway/gateway-error.ts";
import { WithoutData } from "#ui/kit/query-state.tsx";
import { PageHeader } from "#ui/page-header.tsx";
import { BoardScreen } from "./board-screen.tsx";
import { boardQuery } from "#parts/boards/queries.ts";

/** `/boards/{boardId}`: one board. */
export function BoardPage() {
  const { boardId }: { boardId: string } = useParams({ from: "/boards/$boardId" });
  const navigate = useNavigate();
  const query = useQuery(boardQuery(boardId));
  const { data: board, error } = query;
  const isMissing = error instanceof GatewayError && error.status === 404;
  if (board && !isMissing) return <BoardScreen key={boardId} board={board} />;
  return (
    <>
      <PageHeader title="Board" subtitle={<>&nbsp;</>} />
      <WithoutData
        query={query}
        loading={{ label: "Opening the board", rows: 12 }}
        failed={isMissing ? missingText(board) : "The board could not be loaded"}
        reasons={isMissing ? (board ? [] : ["It was deleted, or it isn’t shared with you."]) : undefined}
        canRetry={() => !isMissing}
        otherwise={
          <Button variant="default" onClick={() => void navigate({ to: "/boards" })}>
            Go to Boards
          </Button>
        }
      />
    </>
  );
}

/** `before`: the board while it could be read. */
function missingText(before: Board | undefined): string {
  if (before === undefined) return "There is no such board.";
  return before.can === "own" ? "This board was deleted." : "This board is no longer shared with you.";
}
