import { breakdownLimits, type BreakdownAnswer, type BreakdownAxis } from "../breakdowns.ts";
import type { Column } from "../columns.ts";
import { formatCount, formatList, manyOf, pluralize } from "../counts.ts";
import { dayText, monthNames } from "../utc-texts.ts";
import { entryLabel } from "./figures.ts";
import { conditionWording, labeledAnswer, labeledBreakdown, labelOfId } from "./measure-wording.ts";
import { type Asked, type Condition, measureId } from "./asked.ts";

/** Says of an answer which groups it shows: `Top 20 of 220 origins by Average of delay, only those with at least 100 rows`. */
export function sentenceOf(asked: Asked, answered: BreakdownAnswer, columns: readonly Column[]): string {
  const [summary, answer] = [labeledBreakdown(asked, columns), labeledAnswer(answered, columns)];
  const rows = `All ${pluralize(answer.rows, "row")}`;
  const groups = answer.by.flatMap((axis, index) => axisText(summary, axis, index, answer.isCut) ?? []);
  const isOfTimes = answer.by.some(({ kind }) => kind === "time" || kind === "part");
  const zones = [...new Set(summary.by?.flatMap((one) => (one.kind === "time" || one.kind === "part" ? [one.zone ?? "UTC"] : [])))];
  const compared = answer.compare === null ? "" : `, compared with ${rangeLabel(answer.compare.timeRange)}`;
  const estimates = answer.measures.filter(({ isEstimate }) => isEstimate).map(({ id }) => labelOfId(summary, id));
  const ranking = rankingOf(summary);
  const note = ranking !== null && estimates.includes(ranking) ? ", ranked by an estimate" : "";
  return `${groups.length === 0 ? rows : groups.join(" and ")}${conditionsText(summary, answer)}${note}${compared}${isOfTimes ? `, times in ${zones.join(" and ")}` : ""}`;
}

/** `Apr 2001` for a whole month, `2001` for a whole year, else `04/01/2001 – 04/30/2001`; the end is included. In UTC. */
export function rangeLabel({ start, end }: { start?: string | null | undefined; end?: string | null | undefined }): string {
  const [from, to] = [Date.parse(start ?? ""), Date.parse(end ?? "")];
  if (Number.isNaN(from) || Number.isNaN(to)) return "Before";
  // An end of 23:59:59 counts as midnight.
  const after = new Date(to + (to % 60_000 === 59_000 || to % 1_000 === 999 ? 1_000 : 0));
  const first = new Date(from);
  const isMonth = from % 86_400_000 === 0 && first.getUTCDate() === 1;
  const endsWith = (year: number, month: number) => Date.UTC(year, month, 1) === Math.floor(after.getTime() / 1_000) * 1_000;
  const [year, month] = [first.getUTCFullYear(), first.getUTCMonth()];
  if (isMonth && endsWith(year, month + 1)) return `${monthNames[month]} ${year}`;
  if (isMonth && month === 0 && endsWith(year + 1, 0)) return String(year);
  return `${dayText(from) ?? ""} – ${dayText(to) ?? ""}`;
}

/** `, only those with at least 100 rows`; of tables it says which conditions are those of cells. */
function conditionsText(summary: Asked, { by }: BreakdownAnswer): string {
  const { having = [] } = summary;
  if (having.length === 0) return "";
  const wordings = (some: readonly Condition[]): string => formatList(some.map((one) => conditionWording(summary, one)));
  if (by.length < 2) return `, only those with ${wordings(having)}`;
  const ids = [...new Set(having.map(({ on }) => on))];
  const texts = ids.map((id) => {
    const axis = by.find((one) => one.id === id);
    const which = axis === undefined ? "cells" : axis.column === null ? "groups" : manyOf(axis.column);
    return `${which} with ${wordings(having.filter(({ on }) => on === id))}`;
  });
  return `, only ${texts.join(" and ")}`;
}

function rankingOf({ by = [], measures }: Asked): string | null {
  const ranked = by.find((grouping) => grouping.kind === "value" && grouping.top !== undefined);
  if (ranked?.kind !== "value") return null;
  return labelOfId({ measures }, ranked.top?.by ?? (measures[0] ? measureId(measures[0]) : ""));
}

/** Null for groupings that show all their groups by nature. */
function axisText(summary: Asked, { column, found, entries }: BreakdownAxis, index: number, isCut: boolean): string | null {
  const grouping = summary.by?.[index];
  if (grouping?.kind !== "value" && !isCut) return null;
  const many = column === null ? "groups" : manyOf(column);
  const named = entries.filter(({ kind }) => kind === "value").length;
  if (grouping?.kind !== "value" || grouping.top === undefined) {
    if (isCut) return `${formatCount(breakdownLimits.listedEntries)} of ${formatCount(found)} ${many}`;
    return `${named < found ? `${formatCount(named)} of` : "All"} ${formatCount(found)} ${many}`;
  }
  const { by = summary.measures[0] ? measureId(summary.measures[0]) : "", direction } = grouping.top;
  const end = direction === "asc" ? "Lowest" : "Top";
  return `${end} ${formatCount(named)} of ${formatCount(found)} ${many} by ${labelOfId(summary, by)}`;
}

/** Says where the groups are that the conditions leave out: `20 of 220 groups, 31 that do not meet the conditions are in Other`. */
export function footOf(summary: Asked, answer: BreakdownAnswer): string {
  const { by, cells } = answer;
  const [axis] = by;
  if (axis === undefined) return "";
  if (by.length > 1) return pluralize(cells.length, "cell");
  const named = axis.entries.filter(({ kind }) => kind !== "other" && kind !== "empty" && kind !== "outside").length;
  const shown = `${formatCount(named)} of ${pluralize(axis.found, "group")}${withoutPartner(summary, answer)}`;
  const { groups } = axis.failing;
  if (groups === 0) return shown;
  const isInOther = axis.entries.some(({ kind }) => kind === "other");
  const less = leastRowsOf(summary);
  const which = less === null ? "that do not meet the conditions" : `with fewer than ${pluralize(less, "row")}`;
  return `${shown}, ${formatCount(groups)} ${which} ${isInOther ? (groups === 1 ? "is in Other" : "are in Other") : "left out"}`;
}

/** Steps of time pair by their place from the start, so the last ones of a longer period have none to be compared with. */
function withoutPartner({ by: [grouping] = [] }: Asked, { by: [axis], cells, compare }: BreakdownAnswer): string {
  if (compare === null || grouping?.kind !== "time" || axis === undefined) return "";
  const alone = cells.filter(({ before }) => before === null).flatMap(({ at: [place = -1] }) => axis.entries[place] ?? []);
  const [first] = alone;
  if (first === undefined) return "";
  const which = alone.length === 1 ? `${entryLabel(first, axis, [])} has` : `${formatCount(alone.length)} have`;
  return `, ${which} no ${grouping.unit} in the period before`;
}

/** The number of the only condition, if it asks for so many rows at least. */
export function leastRowsOf({ having = [] }: Asked): number | null {
  const [only] = having;
  return having.length === 1 && only?.measure === "count(*)" && only.operator === ">=" ? only.value : null;
}
