import { axeViolations } from "../support/accessibility.ts";
import { Actions, firstRows, openTable } from "../support/actions.ts";
import { expect, test } from "../support/fixtures.ts";
import { openForm, searchButton } from "../support/datasets.ts";
import { signInAsNewAccount } from "../support/own-account.ts";

const may2001 = { from: "2001-05-01T00:00:00", to: "2001-05-31T23:59:59" };
const flights = { dataset: "flights", category: "Aviation" };

test("the origins that were latest on average are three actions from open results, with averages over all rows", async ({
  page,
  signIn,
}) => {
  await signIn();
  const actions = await openTable(page, may2001, flights);
  await actions.openColumnMenu("delay");
  await actions.press("Average of delay by …", "menuitem");
  await actions.choose("Add grouping", "origin");
  expect(actions.count).toBe(3);
  const title = "Average of delay by origin";
  expect(await firstRows(page, title, 3)).toEqual([
    ["SBP", "21.98", "207"],
    ["MRY", "18.29", "232"],
    ["FAT", "15.64", "376"],
  ]);
  await expect(
    page.getByText("Top 20 of 220 origins by Average of delay, only those with at least 100 rows", { exact: true }),
  ).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole("button", { name: /^SBP, Average of delay 21\.98 min, # Occurences 207$/ }).click();
  await page.getByRole("menuitem", { name: "Show 207 rows" }).click();
  await expect(page.getByText("207 results")).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("heading", { name: title })).toBeVisible();
});

test("averages by weekday are four actions at most, and those by weekday and hour one more", async ({ page, signIn }) => {
  await signIn();
  const actions = await openTable(page, may2001, flights);
  await actions.openColumnMenu("delay");
  await actions.press("Average of delay by …", "menuitem");
  await actions.choose("Add grouping", "date by day of week");
  expect(actions.count).toBeLessThanOrEqual(4);
  const rows = await firstRows(page, "Average of delay by day of week", 7);
  expect(rows.map(([day, average]) => [day, average])).toEqual([
    ["Monday", "5.83"],
    ["Tuesday", "3.33"],
    ["Wednesday", "1.72"],
    ["Thursday", "5.11"],
    ["Friday", "6.09"],
    ["Saturday", "−1.38"],
    ["Sunday", "1.34"],
  ]);
  await actions.choose("Add grouping", "date by hour of day");
  await expect(page.getByRole("button", { name: /^Friday, 18:00, Average of delay 11\.34 min, # Occurences 4,079$/ })).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);
});

test("unemployment by industry beside the year before is five actions at most", async ({ page, signIn }) => {
  await signIn();
  const year = { from: "2009-01-01T00:00:00", to: "2009-12-31T23:59:59" };
  const actions = await openTable(page, year, { dataset: "industry-unemployment", category: "People & economy" });
  await actions.openColumnMenu("rate");
  await actions.press("Average of rate by …", "menuitem");
  await actions.choose("Add grouping", "industry");
  await actions.choose("Compare with", "The same a year before");
  await actions.press(/^Change$/);
  expect(actions.count).toBeLessThanOrEqual(5);
  const title = "Average of rate by industry";
  await expect(page.getByText(/^Top 14 of 14 .* compared with 2008$/)).toBeVisible();
  const [first] = await firstRows(page, title, 3);
  expect([first?.[0], first?.[3]]).toEqual(["Mining and Extraction", "+8.57"]);
});

test("an alert on origins whose average passes 15 minutes is eight actions from a form with its range", async ({ page }) => {
  await signInAsNewAccount(page);
  await openForm(page, ["Aviation", "flights"]);
  await page.getByRole("button", { name: "Newest month", exact: true }).click();
  const actions = new Actions(page);
  await actions.click(searchButton(page));
  await expect(page.getByRole("columnheader").first()).toBeVisible();
  await actions.openColumnMenu("delay");
  await actions.press("Average of delay by …", "menuitem");
  await actions.choose("Add grouping", "origin");
  const title = "Average of delay by origin";
  await expect(page.getByRole("region", { name: `Table of ${title}` })).toBeVisible();
  await actions.press(`Graph menu: ${title}`);
  await actions.press("Alert on this measure", "menuitem");
  const dialog = page.getByRole("dialog", { name: "New Alert", exact: true });
  await expect(dialog.getByRole("textbox", { name: "Of each value of" })).toHaveValue("origin");
  await actions.type("Limit", "15");
  await actions.press("Save");
  expect(actions.count).toBe(8);
  await page.getByRole("button", { name: "View alerts", exact: true }).click();
  const alert = page.getByRole("list", { name: "Alerts", exact: true }).getByRole("listitem");
  await expect(alert).toContainText("flights");
  await expect(alert).toContainText("origin");
});
