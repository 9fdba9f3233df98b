import type { BreakdownAnswer } from "@fairway/contract/breakdowns";
import { pluralize } from "@fairway/contract/counts";
import { Button } from "@mantine/core";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { EmptyState } from "#ui/states.tsx";
import { chartOf } from "./model/charts.ts";
import { figureText } from "./model/figures.ts";
import { conditionWording, labelOfId, measureLabel } from "./model/measure-wording.ts";
import { leastRowsOf } from "./model/sentence.ts";
import type { StoredSummary } from "./model/summary.ts";
import { GroupTable } from "./group-table.tsx";
import { PivotTable } from "./pivot-table.tsx";
import type { CardActions } from "./card-actions.ts";
import classes from "./summaries.module.css";

interface Props extends CardActions {
  record: SearchRecord;
  summary: StoredSummary;
  title: string;
  answer: BreakdownAnswer;
}

/** The figures of a summary in the form that its groupings have, or why there are none. */
export function SummaryBody({ record, summary, title, answer, ...actions }: Props) {
  const { breakdown, chart } = summary;
  const by = breakdown.by ?? [];
  if (answer.rows === 0) return <EmptyState>No row matches this search.</EmptyState>;
  const [axis] = answer.by;
  const hasNone = axis !== undefined && axis.entries.every(({ kind }) => kind === "other" || kind === "empty");
  if (hasNone && axis.failing.groups > 0) {
    const least = leastRowsOf(breakdown);
    const name = axis.column ?? "group";
    const which = least === null ? (breakdown.having ?? []).map((one) => conditionWording(breakdown, one)).join(" and ") : null;
    return (
      <EmptyState
        action={
          <Button variant="default" onClick={() => actions.onChange({ ...breakdown, having: breakdown.having?.slice(0, -1) })}>
            Remove condition
          </Button>
        }
      >
        {least === null ? `No ${name} has ${which}.` : `No ${name} has at least ${pluralize(least, "row")}.`}
      </EmptyState>
    );
  }
  const kind = chartOf(chart, by);
  if (by.length === 0) return <Figures summary={summary} answer={answer} isLarge={kind === "number"} />;
  if (by.length === 1)
    return <GroupTable record={record} summary={summary} title={title} answer={answer} hasBars={kind === "bars"} onOpen={actions.onOpen} />;
  return (
    <PivotTable record={record} summary={summary} title={title} answer={answer} isShaded={kind === "heatmap"} onOpen={actions.onOpen} />
  );
}

/** The figures over all rows. */
function Figures({ summary, answer, isLarge }: { summary: StoredSummary; answer: BreakdownAnswer; isLarge: boolean }) {
  const values = answer.cells[0]?.values ?? [];
  const { measures } = summary.breakdown;
  return (
    <dl className={classes["figures"]} data-large={isLarge || undefined}>
      {answer.measures.map((measure, index) => {
        const asked = measures[index];
        return (
          <div key={measure.id}>
            <dt>{asked ? measureLabel(asked) : labelOfId(summary.breakdown, measure.id)}</dt>
            <dd>
              {figureText(values[index], measure)}
              {measure.unit !== null && measure.unit !== "%" && <small>{measure.unit}</small>}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
