import { formatCount, formatList, plural } from "@fairway/contract/counts";
import type { QualityIssue } from "@fairway/contract/dataset-quality";
import { utcText } from "@fairway/contract/utc-texts";

/** MM/DD/YYYY in UTC. */
export const dayText = (epochMs: number): string => utcText(epochMs)?.split(",")[0] ?? "an unknown day";

/** Names that a sentence lists; others are counted. */
const maxNames = 5;

/** An issue in a sentence, with its numbers and since when. */
export function issueText(issue: QualityIssue): string {
  const since = dayText(issue.sinceMs);
  if (issue.kind === "late") {
    const allowed = `${formatCount(issue.lateAfterHours)} ${plural(issue.lateAfterHours, "hour")}`;
    return `Rows have been late since ${since}: the last update was on ${dayText(issue.updatedMs)}, and the next was expected within ${allowed}.`;
  }
  if (issue.kind === "row-drop") {
    const percent = Math.floor(((issue.before - issue.rows) / issue.before) * 100);
    return `There have been ${percent}% fewer rows since ${since}: ${formatCount(issue.rows)} instead of ${formatCount(issue.before)}.`;
  }
  const names = issue.columns.slice(0, maxNames).map(({ name }) => name);
  if (issue.count === 1) return `The column ${names.join("")} has been empty since ${since}.`;
  const more = issue.count - names.length;
  const listed = formatList(more === 0 ? names : [...names, `${formatCount(more)} more`]);
  return `${formatCount(issue.count)} columns have become empty, the first on ${since}: ${listed}.`;
}

const shortText: Record<QualityIssue["kind"], string> = {
  late: "Rows late",
  "row-drop": "Fewer rows",
  "empty-columns": "Empty columns",
};

/** All issues in a few words. */
export function issuesLabel(issues: readonly QualityIssue[]): string {
  const [first] = issues;
  if (first === undefined) return "";
  if (issues.length > 1) return `${issues.length} quality issues`;
  return first.kind === "empty-columns" && first.count === 1 ? "Empty column" : shortText[first.kind];
}

export const issuesText = (issues: readonly QualityIssue[]): string => issues.map(issueText).join(" ");
