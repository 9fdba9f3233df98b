import type { BreakdownAnswer } from "@fairway/contract/breakdowns";
import { columnTitleIn } from "@fairway/contract/columns";
import { pluralize } from "@fairway/contract/counts";
import { Button, Group, NativeSelect } from "@mantine/core";
import { type CSSProperties, useState } from "react";
import { signedColumns } from "#parts/reader-part/coarse-columns.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { EmptyState } from "#ui/states.tsx";
import { sliceColors } from "@fairway/contract/charts/chart-model";
import { chartOf, isPicture, stepsOf } from "@fairway/contract/charts/chart-kinds";
import { changeText, figureText, percentText } from "@fairway/contract/charts/figures";
import { conditionWording, labeledBreakdown, labelOfId, measureLabel } from "@fairway/contract/charts/measure-wording";
import { leastRowsOf, rangeLabel, sentenceOf } from "@fairway/contract/charts/sentence";
import { shadeOf, shadesOf } from "@fairway/contract/charts/shades";
import { figureOf } from "@fairway/contract/charts/table-rows";
import type { StoredSummary } from "./model/summary.ts";
import { GroupTable } from "./group-table.tsx";
import { PivotTable } from "./pivot-table.tsx";
import { SummaryChart } from "./summary-chart.tsx";
import type { CardActions } from "./card-actions.ts";
import type { SummaryView } from "./view-switch.tsx";
import classes from "./summaries.module.css";

interface Props extends Pick<CardActions, "onChange" | "onOpen"> {
  record: SearchRecord;
  summary: StoredSummary;
  title: string;
  answer: BreakdownAnswer;
  view: SummaryView;
}

/** The figures of a summary in the form that its groupings have, or why there are none. */
export function SummaryBody({ record, summary, title, answer, view, ...actions }: Props) {
  const { breakdown, chart } = summary;
  const { columns } = record.datasetDescription.schema;
  // As it is read, not as it is asked.
  const signed = signedColumns(record.datasetDescription);
  const words = { ...summary, breakdown: labeledBreakdown(breakdown, signed) };
  const [chosenFigure, setFigure] = useState(0);
  const figure = Math.min(chosenFigure, answer.measures.length - 1);
  const sentence = <p className={classes["say"]}>{sentenceOf(breakdown, answer, signed)}</p>;
  if (answer.rows === 0) return <EmptyState>No row matches this search.</EmptyState>;
  const [axis] = answer.by;
  const hasNone = axis !== undefined && axis.entries.every(({ kind }) => kind === "other" || kind === "empty");
  if (hasNone && axis.failing.groups > 0)
    return (
      <NoGroup
        summary={summary}
        words={words.breakdown}
        name={axis.column === null ? "group" : columnTitleIn(columns, axis.column)}
        onChange={actions.onChange}
      />
    );
  const kind = view === "table" ? "table" : chartOf(chart, breakdown, stepsOf(answer));
  if (answer.by.length === 0) {
    return (
      <>
        {sentence}
        <Figures
          summary={words}
          answer={answer}
          figures={answer.cells[0]}
          size={chartOf(chart, breakdown) === "number" ? "large" : "small"}
        />
      </>
    );
  }
  const hasPicture = isPicture(kind);
  const picture = hasPicture && (
    <SummaryChart record={record} summary={summary} title={title} answer={answer} kind={kind} onOpen={actions.onOpen} />
  );
  if (answer.by.length === 1) {
    return (
      <>
        {hasPicture && sentence}
        {hasPicture && answer.compare && <Figures summary={words} answer={answer} figures={answer.totals?.all} most={1} size="medium" />}
        {picture}
        {!(hasPicture && view === "chart") && (
          <GroupTable
            record={record}
            summary={summary}
            title={title}
            answer={answer}
            hasBars={kind === "bars"}
            colors={kind === "doughnut" || kind === "pie" ? sliceColors(answer) : null}
            sentence={hasPicture ? null : sentence}
            {...actions}
          />
        )}
      </>
    );
  }
  return (
    <>
      <Group gap="sm" mb="xs">
        {sentence}
        {kind === "heatmap" && <Scale answer={answer} figure={figure} />}
        {answer.measures.length > 1 && !hasPicture && (
          <NativeSelect
            size="xs"
            aria-label={`Figure of ${title}`}
            value={figure}
            onChange={(event) => setFigure(Number(event.currentTarget.value))}
            data={answer.measures.map(({ id }, index) => ({ value: String(index), label: labelOfId(words.breakdown, id) }))}
          />
        )}
      </Group>
      {picture}
      {!(hasPicture && view === "chart") && (
        <PivotTable
          record={record}
          summary={summary}
          title={title}
          answer={answer}
          figure={figure}
          isShaded={kind === "heatmap"}
          onOpen={actions.onOpen}
        />
      )}
    </>
  );
}

/** No group meets the conditions. */
function NoGroup({
  summary,
  words,
  name,
  onChange,
}: Pick<Props, "summary" | "onChange"> & { words: StoredSummary["breakdown"]; name: string }) {
  const { breakdown } = summary;
  const least = leastRowsOf(breakdown);
  const which = (breakdown.having ?? []).map((one) => conditionWording(words, one)).join(" and ");
  return (
    <EmptyState
      action={
        <Button variant="default" onClick={() => onChange({ ...breakdown, having: breakdown.having?.slice(0, -1) })}>
          Remove condition
        </Button>
      }
    >
      {least === null ? `No ${name} has ${which}.` : `No ${name} has at least ${pluralize(least, "row")}.`}
    </EmptyState>
  );
}

/** The colors of a heatmap. */
function Scale({ answer, figure }: { answer: BreakdownAnswer; figure: number }) {
  const measure = answer.measures[figure];
  if (!measure) return null;
  const { low, high, largest } = shadesOf(answer, figure);
  const mixed = (value: number) => `${shadeOf(value, { largest })?.percent ?? 0}%`;
  const zero = `${high === low ? 0 : (-low / (high - low)) * 100}%`;
  const unit = measure.unit === null || measure.unit === "%" ? "" : ` ${measure.unit}`;
  const text = (value: number) => `${figureText(value, { ...measure, isEstimate: false })}${unit}`;
  return (
    <div className={classes["scale"]} aria-hidden>
      <span>{text(low)}</span>
      <i style={{ "--low": mixed(low), "--zero": zero, "--high": mixed(high) } as CSSProperties} />
      <span>{text(high)}</span>
    </div>
  );
}

interface FiguresProps {
  summary: StoredSummary;
  answer: BreakdownAnswer;
  figures: Pick<BreakdownAnswer["cells"][number], "values" | "before"> | undefined;
  /** Of the first so many measures. */
  most?: number;
  size: "small" | "medium" | "large";
}

/** The figures over all rows, with what changed. */
function Figures({ summary, answer, figures, most, size }: FiguresProps) {
  const { values = [], before = null } = figures ?? {};
  const { measures } = summary.breakdown;
  const { compare } = answer;
  return (
    <div className={classes["figures"]} data-size={size}>
      {answer.measures.slice(0, most).map((measure, index) => {
        const asked = measures[index];
        const unit = measure.unit === null || measure.unit === "%" ? null : <small>{measure.unit}</small>;
        const cell = { values, before };
        return (
          <dl key={measure.id} className={classes["figure"]}>
            <div>
              <dt>{asked ? measureLabel(asked) : labelOfId(summary.breakdown, measure.id)}</dt>
              <dd>
                {figureText(values[index], measure)}
                {unit}
              </dd>
            </div>
            {compare && (
              <>
                <div>
                  <dt>{rangeLabel(compare.timeRange)}</dt>
                  <dd>
                    {figureText(before?.[index], measure)}
                    {unit}
                  </dd>
                </div>
                <div>
                  <dt>Change</dt>
                  <dd>
                    {changeText(figureOf(cell, index, "change"), measure)}
                    <small>{percentText(figureOf(cell, index, "percent"))}</small>
                  </dd>
                </div>
              </>
            )}
          </dl>
        );
      })}
    </div>
  );
}
