import { pluralize } from "@fairway/contract/counts";
import type { BoardSummary } from "@fairway/contract/boards";
import { Button } from "@mantine/core";
import { IconLayoutDashboard } from "#ui/icons/layout-dashboard.ts";
import { IconPlus } from "#ui/icons/plus.ts";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { sharingTexts } from "#parts/sharing/sharing.ts";
import { boardsQuery } from "#parts/boards/queries.ts";
import { PageHeader } from "#ui/page-header.tsx";
import { RelativeTime } from "#ui/relative-time.tsx";
import { QueryState } from "#ui/kit/query-state.tsx";
import BoardFormDialog from "./board-form-dialog.tsx";
import classes from "./boards.module.css";

/** `/boards`: the user's boards and those of others. */
export function BoardsPage() {
  const query = useQuery({ ...boardsQuery, staleTime: 0 });
  const { data: boards } = query;
  const [isNew, setNew] = useState(false);
  const create = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setNew(true)}>
      New board
    </Button>
  );
  return (
    <>
      <PageHeader title="Boards" subtitle={boards ? pluralize(boards.length, "board") : <>&nbsp;</>}>
        {boards !== undefined && boards.length > 0 && create}
      </PageHeader>
      <QueryState
        query={query}
        loading={{ label: "Loading boards" }}
        failed="The boards could not be loaded"
        empty={{
          title: "No boards yet",
          icon: <IconLayoutDashboard size={24} stroke={1.5} aria-hidden />,
          text: "A board shows graphs, maps, tables and numbers of several searches on one page.",
          action: create,
        }}
      >
        {(loaded) => <BoardList boards={loaded} />}
      </QueryState>
      <BoardFormDialog opened={isNew} purpose="new" board={null} onClose={() => setNew(false)} />
    </>
  );
}

function BoardList({ boards }: { boards: readonly BoardSummary[] }) {
  return (
    <div className={classes["list"]}>
      <ul aria-label="Boards">
        {boards.map((board) => (
          <li key={board.id}>
            <Link to="/boards/$boardId" params={{ boardId: board.id }}>
              <strong>{board.name}</strong>
              <small>{aboutBoard(board)}</small>
            </Link>
            <RelativeTime epochMs={board.updatedDateMs} />
          </li>
        ))}
      </ul>
    </div>
  );
}

const aboutBoard = (board: BoardSummary): string =>
  [pluralize(board.panels, "panel"), ...sharingTexts(board), board.description].filter((text) => text !== "").join(" · ");
