import { everyone } from "@fairway/contract/access";
import type { Column } from "@fairway/contract/columns";
import { columnTitleIn } from "@fairway/contract/columns";
import { utcText } from "@fairway/contract/utc-texts";
import { valueText } from "#parts/filters/filter-value.ts";
import { type Edge, parseTime } from "#parts/filters/time-input.ts";
import { conditionLabels, type FilterDraft, type GrantDraft, type RuleDraft } from "./access-draft.ts";

const listed = (names: readonly string[], word: string): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} ${word} ${names.at(-1)}`;

/** The readers of a grant, as the subject of a sentence. */
export function readersText(roles: readonly string[]): string {
  if (roles.includes(everyone)) return "All readers";
  return roles.length === 0 ? "Nobody yet" : `Holders of ${listed(roles, "or")}`;
}

function filterSentence({ name, condition, value, list, low, high }: FilterDraft, columns: readonly Column[]): string {
  const title = columnTitleIn(columns, name);
  const column = columns.find((one) => one.name === name);
  const shown = (one: FilterDraft["value"]) => (one === "" ? "…" : column === undefined ? String(one) : valueText(column, one));
  const start = `${title} ${conditionLabels[condition]}`;
  if (condition === "between") return `${start} ${shown(low)} and ${shown(high)}`;
  if (condition === "in") {
    const lines = list.split(/\r?\n/).flatMap((line) => (line.trim() === "" ? [] : [/^empty$/i.test(line.trim()) ? "no value" : line]));
    const [some, others] = lines.length > 5 ? [lines.slice(0, 4), lines.length - 4] : [lines, 0];
    return `${start} ${lines.length === 0 ? "…" : others > 0 ? `${some.join(", ")} or ${others} more` : listed(some, "or")}`;
  }
  const hasNoValue =
    condition === "empty" || condition === "filled" || condition === "username" || condition === "groups" || condition === "roles";
  return hasNoValue ? start : `${start} ${shown(value)}`;
}

const timeText = (text: string, edge: Edge = "start"): string => {
  const epochMs = parseTime(text, edge);
  return (epochMs === undefined ? undefined : utcText(epochMs)) ?? text;
};

function timeSentence(start: string, end: string): string[] {
  if (start === "" && end === "") return [];
  if (end === "") return [`the time is ${timeText(start)} UTC or later`];
  const last = timeText(end, "end");
  return [start === "" ? `the time is ${last} UTC or earlier` : `the time is from ${timeText(start)} to ${last} UTC`];
}

/** "Holders of north see rows where region is north." */
export function grantSentence({ roles, isAll, filters, timeRange, area }: GrantDraft, columns: readonly Column[]): string {
  const verb = roles.includes(everyone) || roles.length > 0 ? "see" : "sees";
  if (isAll) return roles.length === 0 ? "Nobody sees all rows yet." : `${readersText(roles)} ${verb} all rows.`;
  const { start = "", end = "" } = timeRange ?? {};
  const conditions = [
    ...filters.map((filter) => filterSentence(filter, columns)),
    ...timeSentence(start, end),
    ...(area === null ? [] : ["the location is in the area"]),
  ];
  const which = conditions.length === 0 ? "that are not chosen yet" : `where ${listed(conditions, "and")}`;
  return `${readersText(roles)} ${verb} rows ${which}${which.endsWith("…") ? "" : "."}`;
}

/** The rule and the grant of a path, as the form shows them. Empty for what the whole dataset has. */
export function placeText(path: string, rules: readonly Pick<RuleDraft, "name">[]): string {
  const [, rule, grant] = /^access\.rules\.(\d+)(?:\.grants\.(\d+))?/.exec(path) ?? [];
  if (rule === undefined) return "";
  const name = rules[Number(rule)]?.name || `Rule ${Number(rule) + 1}`;
  return grant === undefined ? name : `${name}, grant ${Number(grant) + 1}`;
}
