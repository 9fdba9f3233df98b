import { Box, SegmentedControl } from "@mantine/core";
import { IconZoomIn } from "#ui/icons/zoom-in.ts";
import { IconZoomOut } from "#ui/icons/zoom-out.ts";
import { type Ref, useCallback, useMemo, useState } from "react";
import { modelOf } from "@fairway/contract/charts/graph-model";
import { canFilterByGroup } from "#features/search/graphs/model/graph-search.ts";
import type { Graph, Group } from "@fairway/contract/charts/graph";
import { coarseColumnsOf } from "#parts/reader-part/coarse-columns.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { IconButton } from "#ui/icon-button.tsx";
import { GraphBody } from "./graph-body.tsx";
import { type GraphActions, GraphMenu } from "./graph-menu.tsx";
import { GraphLoading } from "./graph-loading.tsx";
import classes from "./graphs.module.css";

interface Props extends GraphActions {
  record: SearchRecord;
  graph: Graph;
  isEdited: boolean;
  /** Element in which the preview of the edited graph is drawn instead of its saved picture; undefined if it is drawn elsewhere. */
  previewSlot?: Ref<HTMLDivElement> | undefined;
  onZoom: (zoomed: boolean) => void;
  onLoad: () => void;
  onCancel: () => void;
  /** Starts a search for the rows of one group. */
  onGroup: (group: Group) => void;
  /** Starts a search for the rows from the first group to the last, with the same graphs. */
  onRange: (groups: readonly Group[]) => void;
}

/** One graph: its chart or table, and its actions. */
export function GraphCard({ record, graph, isEdited, previewSlot, onZoom, onLoad, onCancel, onGroup, onRange, ...actions }: Props) {
  const { columns } = record.datasetDescription.schema;
  const model = useMemo(() => modelOf(graph, columns), [graph, columns]);
  const canSearch = useCallback((group: Group) => canFilterByGroup(record.datasetDescription, group), [record.datasetDescription]);
  const [shown, setShown] = useState<"chart" | "table">("chart");
  const heading = `graph-${graph.id}`;
  return (
    <section
      id={`card-${graph.id}`}
      tabIndex={-1}
      className={`${classes["graph"]} ${graph.isZoomed ? classes["zoomed"] : ""}`}
      aria-labelledby={heading}
      aria-busy={graph.isLoading}
    >
      <div className={classes["head"]}>
        <h2 id={heading}>{graph.title}</h2>
        {isEdited && <span className={classes["count"]}>Editing</span>}
        <Box component="span" flex={1} />
        {!previewSlot && (
          <SegmentedControl
            aria-label={`Show ${graph.title} as`}
            value={shown}
            onChange={setShown}
            data={[
              { value: "chart", label: "Chart" },
              { value: "table", label: "Table" },
            ]}
          />
        )}
        <IconButton
          label={graph.isZoomed ? `Leave zoom: ${graph.title}` : `Zoom graph: ${graph.title}`}
          onClick={() => onZoom(!graph.isZoomed)}
        >
          {graph.isZoomed ? <IconZoomOut size={16} aria-hidden /> : <IconZoomIn size={16} aria-hidden />}
        </IconButton>
        <GraphMenu record={record} graph={graph} model={model} {...actions} />
      </div>
      {previewSlot ? (
        <div ref={previewSlot} className={classes["slot"]} />
      ) : model ? (
        <GraphBody
          graph={graph}
          model={model}
          shown={shown}
          coarse={coarseColumnsOf(record.datasetDescription)}
          onGroup={onGroup}
          canSearch={canSearch}
          onRange={onRange}
        />
      ) : (
        <GraphLoading graph={graph} onLoad={onLoad} onCancel={onCancel} />
      )}
    </section>
  );
}
