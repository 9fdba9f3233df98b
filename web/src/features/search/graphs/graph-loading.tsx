import { formatCount } from "@fairway/contract/counts";
import { Button } from "@mantine/core";
import type { Graph } from "@fairway/contract/charts/graph";
import { ErrorState, useDelayElapsed } from "#ui/states.tsx";
import { Elapsed } from "#ui/elapsed.tsx";
import classes from "./graphs.module.css";

/** Shown in place of a graph without values. */
export function GraphLoading({ graph, onLoad, onCancel }: { graph: Graph; onLoad: () => void; onCancel: () => void }) {
  const { hasLoadingError, loadingErrors, isCancelled, startedMs, progress } = graph;
  if (hasLoadingError) {
    return (
      <div className={classes["loading"]}>
        <ErrorState message="Error loading graph." details={loadingErrors} onRetry={onLoad} />
      </div>
    );
  }
  if (isCancelled) {
    return (
      <div className={classes["loading"]}>
        <p>Canceled before the values arrived.</p>
        <Button variant="default" onClick={onLoad}>
          Load graph
        </Button>
      </div>
    );
  }
  return (
    <div className={classes["loading"]}>
      {startedMs !== null && <Progress progress={progress} startedMs={startedMs} onCancel={onCancel} />}
    </div>
  );
}

function Progress({ progress, startedMs, onCancel }: { progress: Graph["progress"]; startedMs: number; onCancel: () => void }) {
  const isLate = useDelayElapsed();
  if (!isLate) return null;
  return (
    <>
      <progress aria-label="Values computed" max={progress.of} {...(progress.done > 0 ? { value: progress.done } : {})} />
      <p>{`Computing ${formatCount(progress.of)} values`}</p>
      <Elapsed
        text={progress.done > 0 ? `${formatCount(progress.done)} received` : "Waiting for the server"}
        startedMs={startedMs}
        onCancel={onCancel}
      />
    </>
  );
}
