import { formatCount } from "@fairway/contract/counts";
import { IconX } from "#ui/icons/x.ts";
import { useCallback, useMemo, useState } from "react";
import { GraphChart } from "#features/search/graphs/chart/graph-chart.tsx";
import { sliceModel, type GraphModel, withoutGroups } from "@fairway/contract/charts/graph-model";
import { GraphTable } from "#features/search/graphs/chart/graph-table.tsx";
import { typeLabels } from "@fairway/contract/charts/graph-wording";
import { type Graph, type Group, isRound } from "@fairway/contract/charts/graph";
import { IconButton } from "#ui/icon-button.tsx";
import { GraphLegend } from "#features/search/graphs/chart/graph-legend.tsx";
import { withCoarseSigns } from "#features/search/graphs/model/coarse-marks.ts";
import type { CoarseColumns } from "#parts/reader-part/coarse-columns.ts";
import { GraphSelectionToolbar } from "./graph-selection-toolbar.tsx";
import classes from "./graphs.module.css";

interface Props {
  graph: Graph;
  model: GraphModel;
  shown: "chart" | "table" | "chart only";
  /** Columns of the dataset whose values are coarse to the reader. */
  coarse: CoarseColumns;
  /** Starts a search for the rows of one group. Undefined in a preview. */
  onGroup?: ((group: Group) => void) | undefined;
  /** Whether a search can have the rows of this group. */
  canSearch?: (group: Group) => boolean;
  /** Starts a search for the rows from the first group to the last, with the same graphs. Undefined in a preview. */
  onRange?: ((groups: readonly Group[]) => void) | undefined;
}

const always = () => true;

/** The picture of a graph with its legend, or its table. Round charts have both, unless only the chart is asked for. */
export function GraphBody({ graph, model, shown, coarse, onGroup, canSearch = always, onRange }: Props) {
  const [hidden, setHidden] = useState<ReadonlySet<number>>(new Set());
  const [selected, setSelected] = useState<{ from: number; to: number } | null>(null);
  const [zoomRange, setZoomRange] = useState<{ from: number; to: number } | null>(null);
  const round = isRound(graph);
  const visibleModel = useMemo(() => (round ? model : sliceModel(model, zoomRange)), [model, zoomRange, round]);
  const [hiddenGroups, setHiddenGroups] = useState<ReadonlySet<string>>(new Set());
  const chartModel = useMemo(
    () => withCoarseSigns(round ? withoutGroups(visibleModel, hiddenGroups) : visibleModel, coarse),
    [visibleModel, hiddenGroups, round, coarse],
  );
  const openGroup = useCallback(
    (index: number) => {
      const group = chartModel.groups[index];
      if (group && canSearch(group)) onGroup?.(group);
    },
    [chartModel, onGroup, canSearch],
  );
  const select = useCallback((from: number, to: number) => setSelected({ from, to }), []);
  const toggleGroup = (groupId: string) => {
    const next = new Set(hiddenGroups);
    if (!next.delete(groupId)) next.add(groupId);
    setHiddenGroups(next);
  };
  const legend = round ? { hidden: hiddenGroups, onToggle: toggleGroup } : null;
  const table = (
    <GraphTable title={graph.title} model={visibleModel} coarse={coarse} legend={legend} onGroup={onGroup} canSearch={canSearch} />
  );
  if (shown === "table") return table;
  const chart = (
    <div className={classes["plot"]}>
      <GraphChart
        style={graph}
        model={chartModel}
        description={describe(graph, chartModel)}
        hidden={hidden}
        selected={round ? null : selected}
        onGroup={onGroup && openGroup}
        onRange={onRange && select}
      />
    </div>
  );
  if (round) {
    return (
      <>
        <Notes graph={graph} model={visibleModel} />
        {shown === "chart only" ? (
          chart
        ) : (
          <div className={classes["roundCharts"]} data-multiple={model.columns.length > 1 || undefined}>
            {chart}
            {table}
          </div>
        )}
      </>
    );
  }
  return (
    <>
      <Notes graph={graph} model={visibleModel} />
      <div className={classes["bar"]}>
        <GraphLegend model={model} coarse={coarse} hidden={hidden} onHidden={setHidden} />
        {selected && onRange && (
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
