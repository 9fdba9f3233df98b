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
  if (board) return <BoardScreen key={boardId} board={board} />;
  const isMissing = error instanceof GatewayError && error.status === 404;
  return (
    <>
      <PageHeader title="Board" subtitle={<>&nbsp;</>} />
      <WithoutData
        query={query}
        loading={{ label: "Opening the board", rows: 12 }}
        failed={isMissing ? "There is no such board." : "The board could not be loaded"}
        reasons={isMissing ? ["It was deleted, or it isn’t shared with you."] : undefined}
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
