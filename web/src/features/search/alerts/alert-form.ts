import { type Alert, type AlertCondition, type AlertDraft, alertLimits } from "@fairway/contract/alerts";
import type { BreakdownMeasure } from "@fairway/contract/breakdowns";
import type { Operator } from "@fairway/contract/columns";
import { measureLabel, titleOf } from "@fairway/contract/charts/measure-wording";
import { measureText, parseMeasure } from "@fairway/contract/measures";
import { parseSavedQuery, savedSearchLimits } from "@fairway/contract/saved-searches";
import type { FigureToWatch } from "#features/search/figure-to-watch.ts";

export const intervalUnits = { minutes: 1, hours: 60, days: 1_440 } as const;
export type IntervalUnit = keyof typeof intervalUnits;

/** The texts of the form. */
export interface AlertForm {
  name: string;
  savedSearchId: string | null;
  kind: AlertCondition["kind"];
  /** Rows, percent, or the limit of a figure. */
  limit: string;
  /** The label of a measure, or its text form as it is typed. */
  figure: string;
  /** The measure that the label stood for. */
  measure: BreakdownMeasure | null;
  operator: Operator;
  /** The column whose values are the groups. */
  by: string;
  /** Empty for any number. */
  leastRows: string;
  every: string;
  unit: IntervalUnit;
  tellWhenOver: boolean;
  email: boolean;
  /** Empty for none. */
  webhookUrl: string;
}

/** The form of an alert; of a new one if it is null. */
export function formOf(alert: Alert | null, leastMinutes: number, watched: FigureToWatch | null = null): AlertForm {
  const everyMinutes = alert?.everyMinutes ?? Math.max(leastMinutes, 60);
  const unit = everyMinutes % intervalUnits.days === 0 ? "days" : everyMinutes % intervalUnits.hours === 0 ? "hours" : "minutes";
  const condition = alert?.condition ?? { kind: "new-rows" };
  const isOfFigure = condition.kind === "measure" || condition.kind === "groups";
  const form: AlertForm = {
    name: alert?.name ?? "",
    savedSearchId: alert?.savedSearch?.id ?? null,
    kind: condition.kind,
    limit: limitOf(condition),
    figure: isOfFigure ? measureLabel(condition.measure) : "",
    measure: isOfFigure ? condition.measure : null,
    operator: isOfFigure ? condition.operator : ">",
    by: condition.kind === "groups" ? condition.by : "",
    leastRows: condition.kind === "groups" && condition.leastRows !== undefined ? String(condition.leastRows) : "",
    every: String(everyMinutes / intervalUnits[unit]),
    unit,
    tellWhenOver: alert?.tellWhenOver ?? false,
    email: alert?.email ?? false,
    webhookUrl: alert?.webhook?.url ?? "",
  };
  if (watched === null) return form;
  const { measure, by, leastRows } = watched;
  const groups = by === null ? { kind: "measure" as const } : { kind: "groups" as const, by };
  return { ...form, ...groups, measure, figure: measureLabel(measure), leastRows: leastRows === null ? "" : String(leastRows) };
}

function limitOf(condition: AlertCondition): string {
  switch (condition.kind) {
    case "new-rows":
      return "";
    case "above":
    case "below":
      return String(condition.rows);
    case "changed":
      return String(condition.percent);
    case "measure":
    case "groups":
      return String(condition.value);
    default:
      return condition satisfies never;
  }
}

/** The settings in the form, without name and search; null for a part that is not valid. */
export function settingsOf(form: AlertForm, leastMinutes: number) {
  const everyMinutes = wholeNumber(form.every) * intervalUnits[form.unit];
  return {
    condition: conditionOf(form),
    everyMinutes: everyMinutes >= leastMinutes && everyMinutes <= alertLimits.everyMinutes ? everyMinutes : null,
  };
}

/** The measure that is written in the form; null if it is none. */
export function measureOf({ figure, measure }: AlertForm): BreakdownMeasure | null {
  if (measure !== null && [measureLabel(measure), measureText(measure)].includes(figure.trim())) return measure;
  const parsed = parseMeasure(figure);
  if (parsed === undefined || parsed.aggregation === "share") return null;
  const { aggregation, column, p } = parsed;
  return { aggregation, ...(column === undefined ? {} : { column }), ...(p === undefined ? {} : { p }) };
}

function conditionOf(form: AlertForm): AlertCondition | null {
  const { kind, limit } = form;
  if (kind === "new-rows") return { kind };
  if (kind === "measure" || kind === "groups") {
    const measure = measureOf(form);
    const value = limit.trim() === "" ? Number.NaN : Number(limit);
    if (measure === null || !Number.isFinite(value)) return null;
    const condition = { measure, operator: form.operator, value };
    if (kind === "measure") return { kind, ...condition };
    const least = form.leastRows.trim() === "" ? 1 : wholeNumber(form.leastRows);
    if (form.by.trim() === "" || !(least >= 1 && least <= alertLimits.rows)) return null;
    return { kind, by: form.by.trim(), ...condition, ...(least > 1 ? { leastRows: least } : {}) };
  }
  if (kind === "changed") {
    const percent = /^\d{1,5}(\.\d{1,9})?$/.test(limit.trim()) ? Number(limit) : Number.NaN;
    return percent >= 0.1 && percent <= alertLimits.percent ? { kind, percent } : null;
  }
  const rows = wholeNumber(limit);
  return rows >= (kind === "below" ? 1 : 0) && rows <= alertLimits.rows ? { kind, rows } : null;
}

const limitWords: Readonly<Record<Operator, string>> = {
  "=": "at",
  "<>": "not at",
  "<": "below",
  "<=": "at most",
  ">": "over",
  ">=": "at least",
};

/** A name that says what is watched: `Average of delay by origin over 15`. Null without a figure. */
export function proposedName(form: AlertForm): string | null {
  const { kind, by, operator, limit } = form;
  const measure = kind === "measure" || kind === "groups" ? measureOf(form) : null;
  if (measure === null) return null;
  const figure = titleOf({ measures: [measure], by: kind === "groups" ? [{ kind: "value", column: by.trim() }] : [] });
  const name = limit.trim() === "" ? figure : `${figure} ${limitWords[operator]} ${limit.trim()}`;
  return name.slice(0, savedSearchLimits.nameCharacters).trim();
}

/** Whether rows after a certain time can never be among those of a saved search. */
export function hasFixedEnd(query: string): boolean {
  const parsed = parseSavedQuery(query);
  const range = "query" in parsed ? parsed.query.timeRange : undefined;
  return range?.end !== undefined && range.last === undefined;
}

const wholeNumber = (text: string): number => (/^\d{1,13}$/.test(text.trim()) ? Number(text) : Number.NaN);

/** Whether it makes sense to tell that the condition no longer holds. */
export const canEnd = (kind: AlertCondition["kind"]): boolean => kind === "above" || kind === "below" || kind === "measure";

/** Null if something is missing or not valid. */
export function draftOf(form: AlertForm, savedSearchId: string, leastMinutes: number): AlertDraft | null {
  const { condition, everyMinutes } = settingsOf(form, leastMinutes);
  const name = form.name.trim();
  if (condition === null || everyMinutes === null || name === "") return null;
  const hasEnd = canEnd(condition.kind);
  const webhookUrl = form.webhookUrl.trim();
  return {
    name,
    savedSearchId,
    condition,
    everyMinutes,
    tellWhenOver: hasEnd && form.tellWhenOver,
    email: form.email,
    webhookUrl: webhookUrl === "" ? null : webhookUrl,
  };
}
