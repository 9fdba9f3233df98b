import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { Button } from "@mantine/core";
import { GatewayError, messagesOf } from "#lib/gateway/gateway-error.ts";
import { PageHeader } from "#ui/page-header.tsx";
import { ErrorState, LoadingRows } from "#ui/states.tsx";
import { BoardScreen } from "./board-screen.tsx";
import { boardQuery } from "#parts/boards/queries.ts";

/** `/boards/{boardId}`: one board. */
export function BoardPage() {
  const { boardId }: { boardId: string } = useParams({ from: "/boards/$boardId" });
  const navigate = useNavigate();
  const { data: board, error, refetch } = useQuery(boardQuery(boardId));
  if (board) return <BoardScreen key={boardId} board={board} />;
  const isMissing = error instanceof GatewayError && error.status === 404;
  return (
    <>
      <PageHeader title="Board" subtitle={<>&nbsp;</>} />
      {error === null ? (
        <LoadingRows label="Opening the board" rows={12} />
      ) : (
        <ErrorState
          message={isMissing ? "There is no such board." : "The board could not be loaded"}
          details={isMissing ? ["It was deleted, or it isn’t shared with you."] : messagesOf(error)}
          {...(!isMissing && { onRetry: () => void refetch() })}
          action={
            <Button variant="default" onClick={() => void navigate({ to: "/boards" })}>
              Go to Boards
            </Button>
          }
        />
      )}
    </>
  );
}
