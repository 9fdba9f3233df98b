import { pluralize } from "@fairway/contract/counts";
import { Button } from "@mantine/core";
import { useMemo } from "react";
import type { Column } from "@fairway/contract/columns";
import { GraphBody } from "./graph-body.tsx";
import { modelOf } from "@fairway/contract/charts/graph-model";
import { largeGroupingWarning } from "@fairway/contract/charts/graph-wording";
import type { CoarseColumns } from "#parts/reader-part/coarse-columns.ts";
import { Elapsed } from "#ui/elapsed.tsx";
import { ErrorState, useDelayElapsed } from "#ui/states.tsx";
import type { GraphPreview } from "./use-graph-preview.ts";
import classes from "./graphs.module.css";

interface Props {
  preview: GraphPreview;
  columns: readonly Column[];
  coarse: CoarseColumns;
  /** Shown as heading; null if there is one already. */
  title: string | null;
  /** Without room, only the chart is shown. */
  isNarrow: boolean;
  /** Shows the warning about many groups, after the user asked for such a preview. */
  showsWarning: boolean;
}

/** The graph as it would be saved. While another one loads, the old picture stays, dimmed; one that does not load takes its place. */
export function GraphPreviewBody({ preview, columns, coarse, title, isNarrow, showsWarning }: Props) {
  const { status } = preview;
  const isReplaced = status === "large" || status === "stopped" || status === "failed";
  const graph = isReplaced ? null : preview.graph;
  const model = useMemo(() => graph && modelOf(graph, columns), [graph, columns]);
  return (
    <>
      {title !== null && (
        <div className={classes["head"]}>
          <h2>{title.trim() || "Untitled graph"}</h2>
          <span className={classes["count"]}>Preview</span>
        </div>
      )}
      <div className={classes["preview"]} data-narrow={isNarrow || undefined} aria-busy={status === "loading"}>
        {showsWarning && <p className={classes["note"]}>{largeGroupingWarning}</p>}
        <PreviewNotice preview={preview} isAlone={graph === null} />
        {graph && model && (
          <div className={classes["previewPicture"]} data-old={status !== "current" || undefined}>
            <GraphBody graph={graph} model={model} shown={isNarrow ? "chart only" : "chart"} coarse={coarse} />
          </div>
        )}
      </div>
    </>
  );
}

/** Says why the picture is not that of the draft. Without a picture, it takes its place. */
function PreviewNotice({ preview, isAlone }: { preview: GraphPreview; isAlone: boolean }) {
  const { status, messages, groups, workload, startedMs, run, cancel } = preview;
  if (status === "current") return null;
  const className = classes[isAlone ? "loading" : "previewNotice"];
  if (status === "failed") {
    return (
      <div className={className}>
        <ErrorState message="The preview can't be drawn." details={messages} onRetry={run} />
      </div>
    );
  }
  return (
    <div className={className}>
      {status === "incomplete" && isAlone && <p>{messages[0]}</p>}
      {status === "loading" && <Running workload={workload} startedMs={startedMs} onCancel={cancel} />}
      {(status === "large" || status === "stopped") && (
        <>
          <p>{status === "large" ? `Preview paused: ${workload}.` : `Canceled: ${workload}.`}</p>
          <Button variant="default" onClick={run}>
            {`Preview ${pluralize(groups, "group")}`}
          </Button>
        </>
      )}
    </div>
  );
}

function Running({ workload, startedMs, onCancel }: { workload: string; startedMs: number | null; onCancel: () => void }) {
  const isLate = useDelayElapsed(1_000);
  return startedMs !== null && isLate ? <Elapsed text={`Computing ${workload}`} startedMs={startedMs} onCancel={onCancel} /> : null;
}
