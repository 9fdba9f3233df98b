import type { BreakdownAnswer } from "@fairway/contract/breakdowns";
import { formatCount } from "@fairway/contract/counts";
import { Box } from "@mantine/core";
import { type ReactNode, useMemo, useState } from "react";
import { type ChartPoint, GraphChart } from "#features/search/graphs/chart/graph-chart.tsx";
import { GraphLegend } from "#features/search/graphs/chart/graph-legend.tsx";
import { noCoarseColumns, signedColumns } from "#parts/reader-part/coarse-columns.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { columnAt, pictureOf, styleOf, type SummaryPicture } from "@fairway/contract/charts/chart-model";
import { type ChartKind, chartLabels } from "@fairway/contract/charts/chart-kinds";
import { pressedGroup } from "./model/pressed-group.ts";
import { pivotCells } from "@fairway/contract/charts/table-rows";
import type { StoredSummary } from "./model/summary.ts";
import { GroupMenu, useGroupMenu } from "./group-menu.tsx";
import type { CardActions } from "./card-actions.ts";
import { ScatterChart } from "./scatter-chart.tsx";
import classes from "./summaries.module.css";

interface Props extends Pick<CardActions, "onOpen"> {
  record: SearchRecord;
  summary: StoredSummary;
  title: string;
  answer: BreakdownAnswer;
  kind: ChartKind;
}

/** The picture of a summary. A press on a bar, point or slice opens the menu of its group. */
export function SummaryChart({ record, summary, title, answer, kind, onOpen }: Props) {
  const { columns } = record.datasetDescription.schema;
  const { breakdown: asked } = summary;
  const cells = useMemo(() => pivotCells(answer), [answer]);
  const picture = useMemo(
    () => pictureOf(asked, answer, signedColumns(record.datasetDescription), kind),
    [asked, answer, record.datasetDescription, kind],
  );
  const menu = useGroupMenu();
  const { target, key, idOf } = menu;
  const [point, setPoint] = useState<Pick<ChartPoint, "x" | "y">>({ x: 0, y: 0 });
  if (picture === null || picture.model.groups.length === 0) return null;
  const press = (at: readonly (number | null)[], { x, y }: Pick<ChartPoint, "x" | "y">) => {
    setPoint({ x, y });
    const button = target.current;
    // A menu that opens within the press of a key takes that press as one of its own, and closes.
    if (button) setTimeout(() => menu.open(JSON.stringify(at), button));
  };
  return (
    <>
      <Drawn key={kind} summary={summary} title={title} answer={answer} kind={kind} picture={picture} onPress={press}>
        <button
          ref={target}
          type="button"
          className={classes["anchor"]}
          style={{ left: point.x, top: point.y }}
          id={key === null ? undefined : idOf(key)}
          tabIndex={-1}
          aria-haspopup="menu"
          aria-label="Chosen group"
        />
      </Drawn>
      <GroupMenu
        record={record}
        menu={menu}
        groupOf={(at) => pressedGroup({ asked, answer, columns, cells }, JSON.parse(at) as (number | null)[])}
        onOpen={onOpen}
      />
    </>
  );
}

interface DrawnProps extends Pick<Props, "summary" | "title" | "answer" | "kind"> {
  picture: SummaryPicture;
  onPress: (at: readonly (number | null)[], point: Pick<ChartPoint, "x" | "y">) => void;
  children: ReactNode;
}

function Drawn({ summary, title, answer, kind, picture, onPress, children }: DrawnProps) {
  const { model, axes, seriesOf, note } = picture;
  const [hidden, setHidden] = useState<ReadonlySet<number>>(() => new Set(picture.hidden));
  const style = useMemo(() => styleOf(summary, kind), [summary, kind]);
  const isStacked = style.stacked;
  const isRound = kind === "doughnut" || kind === "pie";
  const onGroup = (group: number, point: ChartPoint) => {
    const place = Number(model.groups[group]?.id ?? 0);
    if (axes.series === null) return onPress([place], point);
    const column = point.value === null ? null : columnAt(model.values[group] ?? [], hidden, point.value, isStacked);
    const series = column === null ? null : (seriesOf[column] ?? null);
    onPress(axes.along < axes.series ? [place, series] : [series, place], point);
  };
  const description = `${title}. ${chartLabels[kind]} of ${formatCount(model.groups.length)} groups, from ${model.groups[0]?.label} to ${
    model.groups.at(-1)?.label
  }. Use the arrow keys to move through the groups, and Enter for the menu of one. The table has every value.`;
  return (
    <Box mb="sm">
      {note !== null && <p className={classes["note"]}>{note}</p>}
      {!isRound && kind !== "scatter" && model.columns.length > 1 && (
        <GraphLegend model={model} coarse={noCoarseColumns} hidden={hidden} onHidden={setHidden} />
      )}
      <div className={classes["plot"]} data-plot data-round={isRound || undefined}>
        {kind === "scatter" ? (
          <ScatterChart summary={summary} answer={answer} groups={model.groups} description={description} onGroup={onGroup} />
        ) : (
          <GraphChart
            style={style}
            model={model}
            description={description}
            hidden={hidden}
            selected={null}
            onGroup={onGroup}
            onRange={undefined}
          />
        )}
        {children}
      </div>
    </Box>
  );
}
