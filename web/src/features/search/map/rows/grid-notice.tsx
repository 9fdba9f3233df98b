import { pluralize } from "@fairway/contract/counts";
import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { Elapsed } from "#ui/elapsed.tsx";
import { IconPlayerStop } from "#ui/icons/player-stop.ts";
import { IconRefresh } from "#ui/icons/refresh.ts";
import { EmptyState, ErrorState, useDelayElapsed } from "#ui/states.tsx";
import uiClasses from "#ui/ui.module.css";
import type { GridSession, GridState } from "./grid-session.ts";
import classes from "./rows.module.css";

interface Props {
  state: GridState;
  session: Pick<GridSession, "cancel" | "retry">;
  /** Cells or rows in view; null before the first answer. */
  inView: number | null;
  onFit: () => void;
}

/** Notices over the map while rows are counted, and where there is nothing to see. */
export function GridNotice({ state, session, inView, onFit }: Props) {
  const { startedMs, failure, isCanceled, totals, loaded } = state;
  if (startedMs !== null) return <Running key={startedMs} startedMs={startedMs} onCancel={() => session.cancel()} />;
  if (failure !== null) {
    return (
      <Over>
        <ErrorState message="The rows could not be counted." details={failure} onRetry={() => session.retry()} />
      </Over>
    );
  }
  if (isCanceled) {
    return (
      <Over>
        <EmptyState
          title="Counting stopped."
          icon={<IconPlayerStop size={24} stroke={1.5} aria-hidden />}
          action={
            <Button variant="default" leftSection={<IconRefresh size={16} aria-hidden />} onClick={() => session.retry()}>
              Retry
            </Button>
          }
        >
          {loaded === null ? "No rows are shown." : "The map shows what was counted before."}
        </EmptyState>
      </Over>
    );
  }
  if (totals !== null && totals.placed === 0 && totals.rows > 0) {
    return (
      <Over>
        <EmptyState>
          {totals.rows === 1 ? "The row has no location." : `None of the ${pluralize(totals.rows, "row")} has a location.`}
        </EmptyState>
      </Over>
    );
  }
  if (loaded !== null && inView === 0) {
    return (
      <Over>
        <EmptyState
          action={
            <Button variant="default" onClick={onFit}>
              Zoom to data
            </Button>
          }
        >
          No rows in this view.
        </EmptyState>
      </Over>
    );
  }
  return null;
}

/** A card over the middle of the map. */
const Over = ({ children }: { children: ReactNode }) => <div className={classes["over"]}>{children}</div>;

function Running({ startedMs, onCancel }: { startedMs: number; onCancel: () => void }) {
  const isLate = useDelayElapsed();
  return (
    <>
      {isLate && <div className={`${uiClasses["runningLine"]} ${classes["running"]}`} />}
      <div className={classes["elapsed"]}>
        <Elapsed text="Counting rows" startedMs={startedMs} onCancel={onCancel} />
      </div>
    </>
  );
}
