import { alerts } from "@fairway/contract/alerts";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { axeViolations } from "#testing/accessibility.ts";
import { press, type } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { act, alterRows, katrina, openResults } from "#testing/results.ts";
import { buildSavedSearch, serveSavedSearches } from "#testing/saved-searches.ts";
import { buildAlert, choose, dataset, dialog, item, saved, serveAlerts } from "#testing/alerts.ts";
import { savedSearches } from "@fairway/contract/saved-searches";
import { openForm, storms } from "#testing/datasets-screen.ts";
import { expectText } from "#testing/assertions.ts";

const titled = () => expect.element(page.getByRole("heading", { level: 1, name: "Alerts" })).toBeVisible();

beforeEach(() => {
  serveSavedSearches([saved]);
});

beforeEach(() => {
  alterRows((rows) => rows.slice(0, 2));
  serveSavedSearches([saved]);
});

it("says how to make the first alert, and retries what could not be loaded", async () => {
  gateway.refuse(alerts.list, "not-ready", "The disk is full.");
  await openScreen("/alerts");
  await expect.element(page.getByRole("alert")).toHaveTextContent("The alerts could not be loadedThe disk is full.");
  serveAlerts([]);
  await page.getByRole("alert").getByRole("button", { name: "Retry" }).click();
  await expect.element(page.getByText(/run it and choose Actions → Create Alert/)).toBeVisible();
  expect(await axeViolations()).toEqual([]);
});

it("suggests the name of the chosen search until it gets its own", async () => {
  serveAlerts([]);
  serveSavedSearches([saved, buildSavedSearch("Wilma", "{}")]);
  await openScreen("/alerts");
  await page.getByRole("button", { name: "New alert" }).click();
  const form = dialog("New Alert");
  const name = form.getByRole("textbox", { name: "Name" });
  const choose = async (search: string) => {
    await form.getByRole("combobox", { name: "Saved search" }).click();
    await page.getByRole("option", { name: `${search} (storm-tracks)` }).click();
  };
  await choose("Katrina");
  await expect.element(name).toHaveValue("Katrina");
  await choose("Wilma");
  await expect.element(name).toHaveValue("Wilma");
  await name.fill("Mine");
  await choose("Katrina");
  await expect.element(name).toHaveValue("Mine");
});

it("lets the search on the screen watch, which is saved with it", async () => {
  serveAlerts([]);
  serveSavedSearches([]);
  await openResults(katrina);
  await act("Create Alert");
  const form = dialog("New Alert");
  await expect.element(form.getByRole("textbox", { name: "Name" })).toHaveValue("storm-tracks: name = Katrina");
  // The suggested name is selected.
  await expect.element(form.getByRole("textbox", { name: "Name" })).toHaveFocus();
  await type("The big one");
  await expect.element(form.getByRole("combobox", { name: "Saved search" })).toHaveValue("This search (saved automatically)");
  await form.getByRole("button", { name: "Save" }).click();
  await expect.element(form).not.toBeInTheDocument();
  const [created] = gateway.received(savedSearches.create);
  expect(created?.body).toMatchObject({ ...dataset, queryName: "The big one" });
  expect(JSON.parse(created?.body.query ?? "")).toMatchObject({ filters: [{ name: "name", value: "Katrina", operator: "=" }] });
  expect(gateway.received(alerts.create).map(({ body }) => body.savedSearchId)).toEqual(["s-The big one"]);
  await page.getByRole("button", { name: "View alerts" }).click();
  await expect.element(item("The big one")).toBeVisible();
});

it("lets a saved search watch from the list of saved searches", async () => {
  serveAlerts([]);
  await openForm(storms);
  await page.getByRole("button", { name: "Saved search filters", exact: true }).click();
  await page.getByRole("button", { name: "Create alert for Katrina", exact: true }).click();
  const form = dialog("New Alert");
  await expect.element(form.getByRole("textbox", { name: "Name" })).toHaveValue("Katrina");
  await form.getByRole("button", { name: "Save" }).click();
  await expect.element(form).not.toBeInTheDocument();
  expect(gateway.received(alerts.create).map(({ body }) => [body.name, body.savedSearchId])).toEqual([["Katrina", saved.id]]);
  await expect.element(page.getByRole("button", { name: "Create alert for Katrina", exact: true })).toHaveFocus();
});

it("fits a phone, without axe violations", async () => {
  await page.viewport(390, 844);
  serveAlerts([buildAlert("Rain"), buildAlert("Snow", { state: "snoozed", snoozedUntilMs: Date.now() + 3_600_000 })]);
  await openScreen("/alerts");
  await titled();
  await expect.element(item("Snow")).toHaveTextContent("Snoozed until");
  expect(document.documentElement.scrollWidth).toBe(390);
  expect(await axeViolations()).toEqual([]);
});

it("names the one reason why a portal sends no emails", async () => {
  serveAlerts([buildAlert("Rain", { condition: { kind: "above", rows: 10 } })], null, false);
  await openScreen("/alerts");
  await choose("Rain", "Edit");
  await expect.element(dialog("Edit Alert").getByText("This portal sends no emails.", { exact: true })).toBeVisible();
});

it("edits, snoozes, pauses, checks, tests and deletes an alert", async () => {
  serveAlerts([buildAlert("Rain", { condition: { kind: "above", rows: 10 } })], null);
  await openScreen("/alerts");
  await choose("Rain", "Edit");
  const form = dialog("Edit Alert");
  await expect.element(form.getByRole("textbox", { name: "Rows" })).toHaveValue("10");
  await expect.element(form.getByRole("checkbox", { name: "By email" })).toBeDisabled();
  await expect.element(form.getByText("Your account has no email address.", { exact: true })).toBeVisible();
  await form.getByRole("textbox", { name: "Rows" }).fill("20");
  await form.getByRole("checkbox", { name: "Also tell me when it is over" }).click();
  gateway.refuse(alerts.edit, "name-taken", "An alert with this name already exists.", { times: 1 });
  await form.getByRole("button", { name: "Save" }).click();
  await expectText(form.getByRole("alert"), "Save failed: An alert with this name already exists.");
  await form.getByRole("button", { name: "Save" }).click();
  await expect.element(item("Rain")).toHaveTextContent("more than 20 rows");
  expect(gateway.received(alerts.edit).at(-1)?.body).toMatchObject({
    condition: { kind: "above", rows: 20 },
    everyMinutes: 60,
    tellWhenOver: true,
  });

  await choose("Rain", "Snooze for 1 day");
  await expect.element(item("Rain")).toHaveTextContent("Snoozed");
  await choose("Rain", "End snooze");
  await expect.element(item("Rain")).toHaveTextContent("OK");
  await choose("Rain", "Pause");
  await expect.element(item("Rain")).toHaveTextContent("Paused");
  await choose("Rain", "Resume");
  await expect.element(item("Rain")).toHaveTextContent("OK");
  expect(gateway.received(alerts.snooze).map(({ body }) => body.minutes)).toEqual([1_440, null]);

  await choose("Rain", "Send a test");
  await expect.poll(() => gateway.received(alerts.test).length).toBe(1);
  gateway.refuse(alerts.check, "too-many-requests", "The alert was checked a moment ago.");
  await choose("Rain", "Check now");
  await expect.element(page.getByText("The alert was checked a moment ago.")).toBeVisible();

  await choose("Rain", "Delete");
  await dialog("Delete Alert?").getByRole("button", { name: "Delete" }).click();
  await expect.element(page.getByText("No alerts yet")).toBeVisible();
});

it("shows the secret of a new webhook once, and what a webhook fails of", async () => {
  serveAlerts([buildAlert("Rain")]);
  await openScreen("/alerts");
  await choose("Rain", "Edit");
  const form = dialog("Edit Alert");
  await form.getByRole("textbox", { name: "Webhook address" }).fill(" https://example.org/hook ");
  gateway.refuse(alerts.edit, "invalid-value", "The portal does not call this address.", { times: 1 });
  await form.getByRole("button", { name: "Save" }).click();
  await expectText(form.getByRole("alert"), "Save failed: The portal does not call this address.");
  await form.getByRole("button", { name: "Save" }).click();
  await expect.element(form.getByRole("textbox", { name: "Webhook secret" })).toHaveValue("whsec_abc");
  await form.getByRole("button", { name: "Done" }).click();
  await expect.element(form).not.toBeInTheDocument();
  expect(gateway.received(alerts.edit).at(-1)?.body.webhookUrl).toBe("https://example.org/hook");
  await expect.element(item("Rain")).toHaveTextContent("checked every hour, also by webhook");

  const webhook = { url: "https://example.org/hook", state: "dead", problem: "answered with the status 500" } as const;
  serveAlerts([buildAlert("Rain", { webhook })]);
  gateway.answer(alerts.test, { webhookProblem: "did not answer in time" });
  await choose("Rain", "Send a test");
  await expect.element(page.getByText("The webhook did not answer in time.")).toBeVisible();
  await expect.element(item("Rain")).toHaveTextContent("The webhook answered with the status 500. No more messages are sent to it.");
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
