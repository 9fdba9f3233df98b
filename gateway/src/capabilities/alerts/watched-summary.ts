import type { AlertCondition } from "@fairway/contract/alerts";
import { measureText } from "@fairway/contract/measures";
import type { SummaryDraft } from "@fairway/contract/summaries";

const namedGroups = 20;
const rows = { aggregation: "count", column: "*" };

/** The summary that draws the figures of an alert, those beyond its limit first; null for alerts on rows. */
export function watchedSummary(condition: AlertCondition): SummaryDraft | null {
  if (condition.kind === "measure") return { breakdown: { measures: [condition.measure] } };
  if (condition.kind !== "groups") return null;
  const { by: column, measure, operator, leastRows } = condition;
  const least = leastRows === undefined ? [] : [{ measure: measureText(rows), operator: ">=" as const, value: leastRows }];
  const hasRows = (measure.id ?? measureText(measure)) === measureText(rows);
  const direction = operator.startsWith("<") && operator !== "<>" ? "asc" : "desc";
  return {
    breakdown: {
      measures: [measure, ...(least.length === 0 || hasRows ? [] : [rows])],
      by: [{ kind: "value", column, top: { count: namedGroups, direction, other: true }, empty: "hide" }],
      ...(least.length === 0 ? {} : { having: least }),
    },
  };
}
