import { alerts } from "@fairway/contract/alerts";
import { settings } from "@fairway/contract/settings";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { defaultPortalSettings } from "#lib/gateway/portal-settings.ts";
import { axeViolations } from "#testing/accessibility.ts";
import { expectCount } from "#testing/assertions.ts";
import { focus, press, type } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { alterRows, katrina, openResults } from "#testing/results.ts";
import { serveSavedSearches } from "#testing/saved-searches.ts";
import { buildAlert, serveAlerts, choose, saved, item, dialog } from "#testing/alerts.ts";

const titled = () => expect.element(page.getByRole("heading", { level: 1, name: "Alerts" })).toBeVisible();

beforeEach(() => {
  alterRows((rows) => rows.slice(0, 2));
  serveSavedSearches([saved]);
});

it("lists alerts with state, condition, checks and the reason of a pause", async () => {
  serveAlerts([
    buildAlert("Rain", { state: "firing", condition: { kind: "above", rows: 1_000 }, everyMinutes: 5, email: true }),
    buildAlert("Snow", {
      state: "paused",
      pausedBy: "portal",
      reason: "The dataset is gone.",
      nextCheckMs: null,
      seen: null,
      savedSearch: null,
    }),
    buildAlert("Wind", { state: "new", lastCheckedMs: null, nextCheckMs: Date.now() - 1, seen: null }),
  ]);
  await openScreen("/alerts");
  await titled();
  await expect
    .element(item("Rain"))
    .toHaveTextContent(
      "FiringRain“Katrina” in storm-tracks: more than 1,000 rows, checked every 5 minutes, also by emailLast checked5 minutes ago, 12 rows",
    );
  await expect.element(item("Snow")).toHaveTextContent("PausedSnowstorm-tracks: any new row, checked every hourThe dataset is gone.");
  await expect.element(item("Snow")).toHaveTextContent("Next checkNone");
  await expect.element(item("Wind")).toHaveTextContent("Not checked yetWind");
  await expect.element(item("Wind")).toHaveTextContent("Last checkedNeverNext checkNow");
  expect(await axeViolations()).toEqual([]);
  await choose("Rain", "Open rows");
  await expect.element(page.getByRole("grid", { name: "Results of storm-tracks" })).toBeVisible();
});

it("creates an alert by keyboard", async () => {
  serveAlerts([]);
  await openScreen("/alerts");
  await press("Enter", page.getByRole("button", { name: "New alert" }));
  const form = dialog("New Alert");
  await expect.element(form.getByRole("textbox", { name: "Name" })).toHaveFocus();
  await type("Katrina grows");
  await press("Tab");
  await press("ArrowDown");
  await expect.element(page.getByRole("option", { name: "Katrina (storm-tracks)" })).toBeVisible();
  await press("ArrowDown");
  await press("Enter");
  await form.getByRole("combobox", { name: "Tell me about" }).selectOptions("A change by percent");
  const percent = form.getByRole("textbox", { name: "Percent" });
  await percent.fill("none");
  await expect.element(form.getByText("A number from 0.1 to 10000")).toBeVisible();
  await percent.fill("12.5");
  const every = form.getByRole("textbox", { name: "Check every" });
  await form.getByRole("combobox", { name: "Unit" }).selectOptions("minutes");
  await expect.element(form.getByText("From 5 minutes to 7 days")).toBeVisible();
  await expect.element(form.getByRole("button", { name: "Save" })).toBeDisabled();
  await every.fill("15");
  await form.getByRole("checkbox", { name: "By email to ada@example.org" }).click();
  expect(await axeViolations()).toEqual([]);
  await focus(every);
  await press("Enter");
  await expect.element(form).not.toBeInTheDocument();
  expect(gateway.received(alerts.create).map(({ body }) => body)).toEqual([
    {
      name: "Katrina grows",
      savedSearchId: saved.id,
      condition: { kind: "changed", percent: 12.5 },
      everyMinutes: 15,
      tellWhenOver: false,
      email: true,
      webhookUrl: null,
    },
  ]);
  await expect.element(item("Katrina grows")).toBeVisible();
});

it("shows what the checks found, the changes first and then all, page by page", async () => {
  serveAlerts([buildAlert("Rain")]);
  const check = (id: string, overrides: object = {}) => ({
    id,
    checkedMs: Number(id) * 60_000,
    kind: "ok" as const,
    seen: { rows: null, newRows: 0, newestMs: null },
    told: [],
    reason: "",
    durationMs: 3,
    ...overrides,
  });
  gateway.answer(alerts.history, ({ query: { changes, before } }) => {
    if (before !== undefined) return { checks: [check("1")], hasMore: false };
    const changed = [
      check("9", { kind: "paused", seen: null, reason: "The account is locked." }),
      check("8", { kind: "firing", seen: { rows: null, newRows: 2, newestMs: 1 }, told: ["portal", "email"] }),
    ];
    return { checks: changes === "true" ? changed : [...changed, check("7")], hasMore: changes !== "true" };
  });
  await openScreen("/alerts");
  await press("Enter", page.getByRole("button", { name: "Rain", exact: true }));
  const history = dialog("History of Rain");
  const checks = history.getByRole("list", { name: "Checks" }).getByRole("listitem");
  await expect.element(checks.nth(0)).toHaveTextContent("PausedThe account is locked.");
  await expect.element(checks.nth(1)).toHaveTextContent("Firing2 new rows · sent as notification and email");
  await history.getByRole("checkbox", { name: "Only changes and messages" }).click();
  await expect.element(checks.nth(2)).toHaveTextContent("OK0 new rows");
  await history.getByRole("button", { name: "Load older checks" }).click();
  await expect.element(checks.nth(3)).toBeVisible();
  expect(gateway.received(alerts.history).at(-1)?.query).toEqual({ changes: "false", before: "7" });
});

it("is not offered, like boards, where the operator has disabled the screens", async () => {
  gateway.answer(settings.portal, { ...defaultPortalSettings, disabledLinks: ["Alerts", "/boards"] });
  await openResults(katrina);
  await page.getByRole("button", { name: "Actions" }).click();
  await expect.element(page.getByRole("menuitem", { name: "Save Search Filters" })).toBeVisible();
  await expectCount(page.getByRole("menuitem", { name: /Board|Alert/ }), 0);
});
