import { type Alert, type AlertCondition, type AlertDraft, alertLimits } from "@fairway/contract/alerts";

export const intervalUnits = { minutes: 1, hours: 60, days: 1_440 } as const;
export type IntervalUnit = keyof typeof intervalUnits;

/** The texts of the form. */
export interface AlertForm {
  name: string;
  savedSearchId: string | null;
  kind: AlertCondition["kind"];
  /** Rows, or percent. */
  limit: string;
  every: string;
  unit: IntervalUnit;
  tellWhenOver: boolean;
  email: boolean;
  /** Empty for none. */
  webhookUrl: string;
}

/** The form of an alert; of a new one if it is null. */
export function formOf(alert: Alert | null, leastMinutes: number): AlertForm {
  const everyMinutes = alert?.everyMinutes ?? Math.max(leastMinutes, 60);
  const unit = everyMinutes % intervalUnits.days === 0 ? "days" : everyMinutes % intervalUnits.hours === 0 ? "hours" : "minutes";
  const condition = alert?.condition ?? { kind: "new-rows" };
  return {
    name: alert?.name ?? "",
    savedSearchId: alert?.savedSearch?.id ?? null,
    kind: condition.kind,
    limit: condition.kind === "new-rows" ? "" : String(condition.kind === "changed" ? condition.percent : condition.rows),
    every: String(everyMinutes / intervalUnits[unit]),
    unit,
    tellWhenOver: alert?.tellWhenOver ?? false,
    email: alert?.email ?? false,
    webhookUrl: alert?.webhook?.url ?? "",
  };
}

/** The settings in the form, without name and search; null for a part that is not valid. */
export function settingsOf(form: AlertForm, leastMinutes: number) {
  const everyMinutes = wholeNumber(form.every) * intervalUnits[form.unit];
  return {
    condition: conditionOf(form),
    everyMinutes: everyMinutes >= leastMinutes && everyMinutes <= alertLimits.everyMinutes ? everyMinutes : null,
  };
}

function conditionOf({ kind, limit }: AlertForm): AlertCondition | null {
  if (kind === "new-rows") return { kind };
  if (kind === "changed") {
    const percent = /^\d{1,5}(\.\d{1,9})?$/.test(limit.trim()) ? Number(limit) : Number.NaN;
    return percent >= 0.1 && percent <= alertLimits.percent ? { kind, percent } : null;
  }
  const rows = wholeNumber(limit);
  return rows >= (kind === "below" ? 1 : 0) && rows <= alertLimits.rows ? { kind, rows } : null;
}

const wholeNumber = (text: string): number => (/^\d{1,13}$/.test(text.trim()) ? Number(text) : Number.NaN);

/** Null if something is missing or not valid. */
export function draftOf(form: AlertForm, savedSearchId: string, leastMinutes: number): AlertDraft | null {
  const { condition, everyMinutes } = settingsOf(form, leastMinutes);
  const name = form.name.trim();
  if (condition === null || everyMinutes === null || name === "") return null;
  const hasEnd = condition.kind === "above" || condition.kind === "below";
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
