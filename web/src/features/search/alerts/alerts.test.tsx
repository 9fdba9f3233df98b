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
import { buildAlert, choose, dialog, item, saved, serveAlerts } from "#testing/alerts.ts";

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

it("is not offered, like boards, where the operator has disabled the screens", async () => {
  gateway.answer(settings.portal, { ...defaultPortalSettings, disabledLinks: ["Alerts", "/boards"] });
  await openResults(katrina);
  await page.getByRole("button", { name: "Actions" }).click();
  await expect.element(page.getByRole("menuitem", { name: "Save Search Filters" })).toBeVisible();
  await expectCount(page.getByRole("menuitem", { name: /Board|Alert/ }), 0);
});
