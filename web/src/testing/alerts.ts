import { type Alert, type AlertDraft, alerts } from "@fairway/contract/alerts";
import { page } from "vitest/browser";
import { storms } from "./datasets-screen.ts";
import { gateway } from "./open-screen.tsx";
import { katrina, searchLink } from "./results.ts";
import { buildSavedSearch } from "./saved-searches.ts";

export const query = JSON.stringify({ filters: [{ name: "name", value: "Katrina", operator: "=" }] });
export const saved = buildSavedSearch("Katrina", query);
export const dataset = { datasetCategory: storms[0], datasetId: storms[1] };

export const buildAlert = (name: string, overrides: Partial<Alert> = {}): Alert => ({
  id: `a-${name}`,
  name,
  savedSearch: { id: saved.id, name: saved.queryName },
  dataset,
  link: searchLink(katrina),
  condition: { kind: "new-rows" },
  everyMinutes: 60,
  tellWhenOver: false,
  email: false,
  webhook: null,
  state: "ok",
  pausedBy: null,
  reason: "",
  snoozedUntilMs: null,
  lastCheckedMs: Date.now() - 300_000,
  nextCheckMs: Date.now() + 3_300_000,
  seen: { rows: 12, newestMs: null },
  createdDateMs: 0,
  ...overrides,
});

/** Makes the gateway store the user's alerts, initially these. */
export function serveAlerts(initial: readonly Alert[], emailAddress: string | null = "ada@example.org", sendsEmail = true): void {
  let stored = [...initial];
  const replace = (id: string, change: (alert: Alert) => Alert): Alert => {
    stored = stored.map((alert) => (alert.id === id ? change(alert) : alert));
    return stored.find((alert) => alert.id === id) ?? buildAlert("missing");
  };
  const fromDraft = ({ savedSearchId, webhookUrl, ...draft }: AlertDraft): Partial<Alert> => ({
    ...draft,
    savedSearch: { id: savedSearchId, name: "Katrina" },
    webhook: webhookUrl === null || webhookUrl === undefined ? null : { url: webhookUrl, state: "ok", problem: "" },
  });
  const secretOf = ({ webhookUrl }: AlertDraft): string | null => (webhookUrl ? "whsec_abc" : null);
  gateway.answer(alerts.list, () => ({ alerts: stored, emailAddress, sendsEmail }));
  gateway.answer(alerts.create, ({ body }) => {
    const created = buildAlert(body.name, { ...fromDraft(body), state: "new", lastCheckedMs: null, seen: null });
    stored = [...stored, created];
    return { ...created, webhookSecret: secretOf(body) };
  });
  gateway.answer(alerts.edit, ({ params, body }) => ({
    ...replace(params.id, (alert) => ({ ...alert, ...fromDraft(body) })),
    webhookSecret: secretOf(body),
  }));
  gateway.answer(alerts.pause, ({ params, body: { paused } }) =>
    replace(params.id, (alert) => ({ ...alert, state: paused ? "paused" : "ok", pausedBy: paused ? "owner" : null, reason: "" })),
  );
  gateway.answer(alerts.snooze, ({ params, body: { minutes } }) =>
    replace(params.id, (alert) => ({
      ...alert,
      state: minutes === null ? "ok" : "snoozed",
      snoozedUntilMs: minutes === null ? null : Date.now() + minutes * 60_000,
    })),
  );
  gateway.answer(alerts.remove, ({ params }) => {
    stored = stored.filter(({ id }) => id !== params.id);
    return undefined;
  });
  gateway.answer(alerts.check, ({ params }) => replace(params.id, (alert) => alert));
  gateway.answer(alerts.test, { webhookProblem: null });
}
export const choose = async (alert: string, action: string) => {
  await page.getByRole("button", { name: `Actions for ${alert}`, exact: true }).click();
  await page.getByRole("menuitem", { name: action, exact: true }).click();
};

export const item = (name: string) => page.getByRole("listitem").filter({ hasText: name });

export const dialog = (name: string) => page.getByRole("dialog", { name, exact: true });
