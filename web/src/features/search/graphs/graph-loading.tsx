import { formatCount } from "@fairway/contract/counts";
import { Button } from "@mantine/core";
import type { Graph } from "#features/search/graphs/model/graph.ts";
import { ErrorState, useLate } from "#ui/states.tsx";
import { Elapsed } from "#ui/elapsed.tsx";
import classes from "./graphs.module.css";

/** What stands in the place of a graph whose values are not there. */
export function GraphLoading({ graph, onLoad, onCancel }: { graph: Graph; onLoad: () => void; onCancel: () => void }) {
  const { hasLoadingError, loadingErrors, isCancelled, startedMs, progress } = graph;
  if (hasLoadingError) {
    return (
      <div className={classes["waiting"]}>
        <ErrorState message="Error loading graph." details={loadingErrors} onRetry={onLoad} />
      </div>
    );
  }
  if (isCancelled) {
    return (
      <div className={classes["waiting"]}>
        <p>Cancelled before its values came.</p>
        <Button variant="default" onClick={onLoad}>
          Load graph
        </Button>
      </div>
    );
  }
  return (
    <div className={classes["waiting"]}>
      {startedMs !== null && <Running progress={progress} startedMs={startedMs} onCancel={onCancel} />}
    </div>
  );
}

function Running({ progress, startedMs, onCancel }: { progress: Graph["progress"]; startedMs: number; onCancel: () => void }) {
  const late = useLate();
  if (!late) return null;
  return (
    <>
      <progress aria-label="Values computed" max={progress.of} {...(progress.done > 0 ? { value: progress.done } : {})} />
      <p>{`Computing ${formatCount(progress.of)} values`}</p>
      <Elapsed
        text={progress.done > 0 ? `${formatCount(progress.done)} are there` : "Waiting for the answer"}
        startedMs={startedMs}
        onCancel={onCancel}
      />
    </>
  );
}
