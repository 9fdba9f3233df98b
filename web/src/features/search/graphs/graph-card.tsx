import { formatCount } from "@fairway/contract/counts";
import { SegmentedControl } from "@mantine/core";
import { IconX, IconZoomIn, IconZoomOut } from "@tabler/icons-react";
import { useCallback, useMemo, useState } from "react";
import { GraphChart } from "#features/search/graphs/chart/graph-chart.tsx";
import { modelOf, sliceModel, type GraphModel } from "#features/search/graphs/model/graph-model.ts";
import { GraphTable } from "#features/search/graphs/chart/graph-table.tsx";
import { typeLabels } from "#features/search/graphs/model/graph-wording.ts";
import { type Graph, type Group, isRound } from "#features/search/graphs/model/graph.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { IconButton } from "#ui/icon-button.tsx";
import { GraphLegend } from "./graph-legend.tsx";
import { type GraphActions, GraphMenu } from "./graph-menu.tsx";
import { GraphSelectionToolbar } from "./graph-selection-toolbar.tsx";
import { GraphLoading } from "./graph-loading.tsx";
import classes from "./graphs.module.css";

interface Props extends GraphActions {
  record: SearchRecord;
  graph: Graph;
  isEdited: boolean;
  onZoom: (zoomed: boolean) => void;
  onLoad: () => void;
  onCancel: () => void;
  /** Starts a search for the rows of one group. */
  onGroup: (group: Group) => void;
  /** Starts a search for the rows from the first group to the last, with the same graphs. */
  onRange: (groups: readonly Group[]) => void;
}

/** One graph: its chart or table, and its actions. */
export function GraphCard({ record, graph, isEdited, onZoom, onLoad, onCancel, onGroup, onRange, ...actions }: Props) {
  const { columns } = record.datasetDescription.schema;
  const model = useMemo(() => modelOf(graph, columns), [graph, columns]);
  const [shown, setShown] = useState<"chart" | "table">("chart");
  const heading = `graph-${graph.id}`;
  return (
    <section
      className={`${classes["graph"]} ${graph.isZoomed ? classes["zoomed"] : ""}`}
      aria-labelledby={heading}
      aria-busy={graph.isLoading}
    >
      <div className={classes["head"]}>
        <h2 id={heading}>{graph.title}</h2>
        {isEdited && <span className={classes["count"]}>Editing</span>}
        <span className={classes["grow"]} />
        <SegmentedControl
          aria-label={`Show ${graph.title} as`}
          value={shown}
          onChange={setShown}
          data={[
            { value: "chart", label: "Chart" },
            { value: "table", label: "Table" },
          ]}
        />
        <IconButton
          label={graph.isZoomed ? `Leave zoom: ${graph.title}` : `Zoom graph: ${graph.title}`}
          onClick={() => onZoom(!graph.isZoomed)}
        >
          {graph.isZoomed ? <IconZoomOut size={16} aria-hidden /> : <IconZoomIn size={16} aria-hidden />}
        </IconButton>
        <GraphMenu graph={graph} model={model} {...actions} />
      </div>
      {model ? (
        <GraphBody graph={graph} model={model} asTable={shown === "table"} onGroup={onGroup} onRange={onRange} />
      ) : (
        <GraphLoading graph={graph} onLoad={onLoad} onCancel={onCancel} />
      )}
    </section>
  );
}

interface BodyProps {
  graph: Graph;
  model: GraphModel;
  asTable: boolean;
  onGroup: (group: Group) => void;
  onRange: (groups: readonly Group[]) => void;
}

function GraphBody({ graph, model, asTable, onGroup, onRange }: BodyProps) {
  const [hidden, setHidden] = useState<ReadonlySet<number>>(new Set());
  const [selected, setSelected] = useState<{ from: number; to: number } | null>(null);
  const [zoomRange, setZoomRange] = useState<{ from: number; to: number } | null>(null);
  const round = isRound(graph);
  const visibleModel = useMemo(() => (round ? model : sliceModel(model, zoomRange)), [model, zoomRange, round]);
  const openGroup = useCallback(
    (index: number) => {
      const group = visibleModel.groups[index];
      if (group) onGroup(group);
    },
    [visibleModel, onGroup],
  );
  const select = useCallback((from: number, to: number) => setSelected({ from, to }), []);
  const table = <GraphTable title={graph.title} model={visibleModel} showsGroupColors={round} onGroup={openGroup} />;
  if (asTable) return table;
  const chart = (
    <div className={classes["plot"]}>
      <GraphChart
        style={graph}
        model={visibleModel}
        description={describe(graph, visibleModel)}
        hidden={hidden}
        selected={round ? null : selected}
        onGroup={openGroup}
        onRange={select}
      />
    </div>
  );
  if (round) {
    return (
      <>
        <Notes graph={graph} model={visibleModel} />
        <div className={classes["roundCharts"]} data-multiple={model.columns.length > 1 || undefined}>
          {chart}
          {table}
        </div>
      </>
    );
  }
  return (
    <>
      <Notes graph={graph} model={visibleModel} />
      <div className={classes["bar"]}>
        <GraphLegend model={model} hidden={hidden} onHidden={setHidden} />
        {selected && (
          <GraphSelectionToolbar
            groups={visibleModel.groups.slice(selected.from, selected.to + 1)}
            onZoom={() => {
              const offset = zoomRange?.from ?? 0;
              setZoomRange({ from: offset + selected.from, to: offset + selected.to });
              setSelected(null);
            }}
            onSearch={onRange}
            onClose={() => setSelected(null)}
          />
        )}
        {zoomRange && !selected && (
          <div className={classes["selectionToolbar"]}>
            <span>
              {formatCount(visibleModel.groups.length)} of {formatCount(model.groups.length)} groups
            </span>
            <IconButton label="Show all groups" onClick={() => setZoomRange(null)}>
              <IconX size={16} aria-hidden />
            </IconButton>
          </div>
        )}
      </div>
      {chart}
    </>
  );
}

/** States what the chart cannot show. */
function Notes({ graph, model }: { graph: Graph; model: GraphModel }) {
  const numbers = model.values.flat().map(Number);
  const round = isRound(graph);
  const skipped = round
    ? numbers.filter((value) => value < 0).length
    : graph.logAxis
      ? model.values.flat().filter((value) => value !== null && Number(value) <= 0).length
      : 0;
  if (skipped === 0) return null;
  return (
    <p className={classes["note"]}>
      {round
        ? `Slices can't show values below zero: ${formatCount(skipped)} left out. See the table for all values.`
        : `A logarithmic axis can't show values of zero or less: ${formatCount(skipped)} values left out. See the table for all values.`}
    </p>
  );
}

const describe = ({ title, type }: Graph, { groups, columns }: GraphModel): string =>
  `${title}. ${typeLabels[type]} graph of ${columns.map(({ label }) => label).join(", ")} in ${formatCount(groups.length)} groups, from ${
    groups[0]?.label ?? ""
  } to ${groups.at(-1)?.label ?? ""}. Use the arrow keys to move through the groups. The table has every value.`;
