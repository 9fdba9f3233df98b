import { type Alert, type AlertCheck, type AlertState, conditionText, intervalText } from "@fairway/contract/alerts";
import { formatList, pluralize } from "@fairway/contract/counts";

export const stateText: Readonly<Record<AlertState, string>> = {
  new: "Not checked yet",
  ok: "OK",
  firing: "Firing",
  snoozed: "Snoozed",
  paused: "Paused",
};

/** One sentence on what an alert does. */
export function alertSentence({ condition, savedSearch, dataset, everyMinutes, email, webhook }: Alert): string {
  const search = savedSearch === null ? dataset.datasetId : `“${savedSearch.name}” in ${dataset.datasetId}`;
  const others = [...(email ? ["email"] : []), ...(webhook ? ["webhook"] : [])];
  const channels = others.length === 0 ? "" : `, also by ${formatList(others)}`;
  return `${search}: ${conditionText(condition)}, checked ${intervalText(everyMinutes)}${channels}`;
}

const kindText: Readonly<Record<AlertCheck["kind"], string>> = {
  ok: "OK",
  firing: "Firing",
  failed: "Failed",
  paused: "Paused",
  resumed: "Resumed",
};

const channelText: Readonly<Record<AlertCheck["told"][number], string>> = {
  portal: "notification",
  email: "email",
  webhook: "webhook",
};

export const webhookText = (problem: string): string => `The webhook ${problem}.`;

/** Result of a check, and where a message of it went. */
export function checkText({ kind, seen, told, reason }: AlertCheck): { title: string; details: string } {
  const rows =
    seen === null
      ? []
      : seen.newRows !== null
        ? [pluralize(seen.newRows, "new row")]
        : seen.rows !== null
          ? [pluralize(seen.rows, "row")]
          : [];
  const message = told.length === 0 ? [] : [`sent as ${formatList(told.map((channel) => channelText[channel]))}`];
  return { title: kindText[kind], details: [...rows, ...(reason === "" ? [] : [reason]), ...message].join(" · ") };
}
