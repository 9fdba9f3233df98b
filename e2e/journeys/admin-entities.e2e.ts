import {
  chooseInRow,
  createEntity,
  deleteEntity,
  downloaded,
  entitiesOf,
  jsonText,
  openAdmin,
  openRowMenu,
  ownName,
  rowOf,
  writeJson,
} from "../support/administration.ts";
import { axeViolations } from "../support/accessibility.ts";
import { breakAnswer } from "../support/datasets.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectToastFor } from "../support/own-account.ts";
import { stopClock } from "../support/page-clock.ts";

const type = "flowEnvironments";
const path = "/flowenvironment-settings";
const title = "Flow Environments";
const environment = (name: string) => ({ name, displayName: `Desk ${name}`, baseUrl: "https://nifi.example.org", enabled: true });

test("[ADMIN-03][ADMIN-04][ADMIN-05][ADMIN-06][ADMIN-07][ADMIN-08][ENTITY-13] a screen has its filter, buttons, columns, dots and menus", async ({
  page,
  request,
  signIn,
}) => {
  const name = ownName("env");
  await createEntity(request, type, environment(name));
  await signIn("admin");
  await openAdmin(page, path, title);
  for (const button of ["New", "Export All", "Import"]) await expect(page.getByRole("button", { name: button, exact: true })).toBeVisible();
  const headers = page.getByRole("columnheader");
  await expect(headers).toHaveText(["", "id", "displayName", "baseUrl", "readTimeoutMs", "connectTimeoutMs", "enabled", "Actions"]);

  const row = await rowOf(page, name.toUpperCase());
  await expect(row.or(page.getByRole("row").filter({ hasText: name }))).toHaveCount(1);
  await page.getByRole("textbox", { name: "Filter", exact: true }).fill(`DESK ${name}`);
  const found = page.getByRole("grid").getByRole("row").filter({ hasText: name });
  await expect(found).toBeVisible();
  await expect(found.getByRole("gridcell")).toHaveText([
    "",
    name,
    `Desk ${name}`,
    "https://nifi.example.org",
    "60000",
    "10000",
    "enabled",
    "",
  ]);
  await page.getByRole("textbox", { name: "Filter", exact: true }).fill("nothing has this name");
  await expect(page.getByText("No flow environment matches “nothing has this name”.")).toBeVisible();

  await rowOf(page, name);
  await page.getByRole("button", { name: `Actions: ${name}`, exact: true }).click();
  await expect(page.getByRole("menuitem")).toHaveText(["Edit", "Copy", "Export", "Toggle Enabled", "Revisions", "Delete"]);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: `Actions: ${name}`, exact: true })).toBeFocused();
  expect(await axeViolations(page)).toEqual([]);
  await deleteEntity(request, type, name);
});

test("[ADMIN-09][ADMIN-10][ADMIN-11][ADMIN-12][ADMIN-18][ADMIN-19] an entity is made, changed in the tree and copied", async ({
  page,
  request,
  signIn,
}) => {
  const [name, copy] = [ownName("env"), ownName("copy")];
  await signIn("admin");
  await openAdmin(page, path, title);
  await page.getByRole("button", { name: "New", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("heading", { name: "New flow environment" })).toBeVisible();
  await expect(jsonText(dialog)).toContainText('"displayName": ""');
  await writeJson(page, dialog, { ...environment(name), baseUrl: "ftp://nowhere" });
  await expect(dialog.getByRole("status").filter({ hasText: "/baseUrl is not an http or https address" })).toBeVisible();
  await writeJson(page, dialog, environment(name));
  expect(await axeViolations(page)).toEqual([]);
  const created = page.waitForRequest((call) => call.method() === "POST" && call.url().endsWith(`/api/admin/${type}`));
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  expect((await created).postDataJSON()).toEqual(environment(name));
  await expect(dialog).toHaveCount(0);
  await expect(await rowOf(page, name)).toBeVisible();

  await chooseInRow(page, name, "Edit");
  await expect(jsonText(dialog)).toContainText(`"displayName": "Desk ${name}"`);
  await dialog.getByText("Tree", { exact: true }).click();
  await expect(dialog.getByRole("treeitem")).toHaveCount(7);
  const display = dialog.getByRole("textbox", { name: "Value of displayName" });
  await expect(display).toHaveValue(`Desk ${name}`);
  await display.fill("Night desk");
  await display.press("Enter");
  expect(await axeViolations(page)).toEqual([]);
  await dialog.getByText("Text", { exact: true }).click();
  await expect(jsonText(dialog)).toContainText('"displayName": "Night desk"');
  const edited = page.waitForRequest((call) => call.method() === "PUT" && call.url().endsWith(`/api/admin/${type}`));
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  expect((await edited).postDataJSON()).toMatchObject({ name, displayName: "Night desk", version: 1 });
  await expect((await rowOf(page, name)).getByRole("gridcell", { name: "Night desk" })).toBeVisible();

  await chooseInRow(page, name, "Copy");
  await expect(jsonText(dialog)).toContainText('"name": ""');
  await writeJson(page, dialog, environment(copy));
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expect(await rowOf(page, copy)).toBeVisible();
  await Promise.all([name, copy].map((one) => deleteEntity(request, type, one)));
});

test("[ADMIN-16][ADMIN-17][ADMIN-23] what cannot be saved says why, and nothing is lost", async ({ page, request, signIn }) => {
  const name = ownName("env");
  await createEntity(request, type, environment(name));
  await signIn("admin");
  await openAdmin(page, path, title);
  const dialog = page.getByRole("dialog");
  const save = dialog.getByRole("button", { name: "Save", exact: true });
  const calls: string[] = [];
  page.on("request", (call) => {
    if (call.method() !== "GET" && call.url().includes(`/api/admin/${type}`)) calls.push(call.method());
  });

  await page.getByRole("button", { name: "New", exact: true }).click();
  for (const wrong of [
    { ...environment(name), name: 5 },
    { ...environment(name), name: "" },
  ]) {
    await writeJson(page, dialog, wrong);
    await save.click();
    await expect(dialog.getByRole("alert")).toHaveText("Invalid IDA valid String ID must be given.");
  }
  await writeJson(page, dialog, "{ not json");
  await expect(save).toBeDisabled();
  await dialog.getByRole("button", { name: "Cancel" }).click();

  await chooseInRow(page, name, "Edit");
  await writeJson(page, dialog, environment("somebody-else"));
  await save.click();
  await expect(dialog.getByRole("alert")).toContainText("ID Not Found");
  expect(calls).toEqual([]);

  await writeJson(page, dialog, { ...environment(name), displayName: "" });
  await save.click();
  await expect(dialog.getByRole("alert")).toContainText("Failed to Save");
  await expect(dialog.getByRole("alert")).toContainText("displayName");
  await expect(jsonText(dialog)).toContainText('"displayName": ""');
  expect(calls).toEqual(["PUT"]);
  await deleteEntity(request, type, name);
});

test("[ADMIN-21][ADMIN-22][ADMIN-26][ADMIN-30] successes are told for their time", async ({ page, request, signIn }) => {
  const name = ownName("env");
  await page.clock.install();
  await signIn("admin");
  await openAdmin(page, path, title);
  await page.getByRole("button", { name: "New", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await writeJson(page, dialog, environment(name));
  await stopClock(page);
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expectToastFor(page, `${name} created`, 2000);
  await page.clock.resume();
  await chooseInRow(page, name, "Edit");
  await expect(jsonText(dialog)).toBeVisible();
  await stopClock(page);
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expectToastFor(page, `${name} saved`, 1200);
  await page.clock.resume();
  await openRowMenu(page, name);
  await stopClock(page);
  await page.getByRole("menuitem", { name: "Toggle Enabled", exact: true }).click();
  await expectToastFor(page, `${name} disabled`, 1200);
  await page.clock.resume();
  await chooseInRow(page, name, "Delete");
  await expect(page.getByRole("dialog", { name: `Delete ${name}?` })).toBeVisible();
  await stopClock(page);
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expectToastFor(page, `${name} deleted`, 1200);
  expect((await entitiesOf(request, type)).map((one) => one["name"])).not.toContain(name);
});

test("[ADMIN-24][ADMIN-25][ADMIN-27][ADMIN-28][ADMIN-29][ADMIN-31] toggling and deleting, refused and done", async ({
  page,
  request,
  signIn,
}) => {
  const name = ownName("env");
  await createEntity(request, type, environment(name));
  await signIn("admin");
  await openAdmin(page, path, title);
  const row = await rowOf(page, name);
  const mendToggle = await breakAnswer(page, `/api/admin/${type}/${name}/disable`, "The disk is full.");
  await chooseInRow(page, name, "Toggle Enabled");
  await expect(page.getByRole("alert").filter({ hasText: "Failed to Enable/Disable" })).toContainText("The disk is full.");
  await expect(row).toContainText("enabled");
  await mendToggle();
  // The newest is always seen, a success too, and none of the earlier ones is lost unread.
  for (const problem of ["Second problem.", "Third problem.", "Fourth problem.", "Fifth problem."]) {
    const mend = await breakAnswer(page, `/api/admin/${type}/${name}/disable`, problem);
    await chooseInRow(page, name, "Toggle Enabled");
    await expect(page.getByRole("alert").filter({ hasText: problem })).toBeInViewport({ ratio: 1 });
    await mend();
  }
  const earlier = page.getByRole("alert").filter({ hasText: "3 earlier errors" });
  await earlier.getByText("3 earlier errors").click();
  await expect(earlier.getByRole("listitem")).toHaveText([/The disk is full\./, /Second problem\./, /Third problem\./]);
  expect(await axeViolations(page)).toEqual([]);
  for (const [call, now] of [
    ["disable", "disabled"],
    ["enable", "enabled"],
  ] as const) {
    const toggled = page.waitForRequest((one) => one.method() === "PUT" && one.url().endsWith(`/${name}/${call}`));
    await chooseInRow(page, name, "Toggle Enabled");
    await toggled;
    await expect(page.getByRole("status").filter({ hasText: `${name} ${now}` })).toBeInViewport({ ratio: 1 });
    await expect(row.getByText(now, { exact: true })).toBeAttached();
  }
  await earlier.getByRole("button", { name: "Close" }).click();
  await expect(earlier).toHaveCount(0);

  const mendDelete = await breakAnswer(page, `/api/admin/${type}/${name}`, "Something refers to it.", 409);
  await chooseInRow(page, name, "Delete");
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await expect(row).toBeVisible();
  await chooseInRow(page, name, "Delete");
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Failed to Delete" })).toContainText("Something refers to it.");
  await expect(row).toBeVisible();
  await mendDelete();
  const deleted = page.waitForRequest((one) => one.method() === "DELETE" && one.url().endsWith(`/api/admin/${type}/${name}`));
  await chooseInRow(page, name, "Delete");
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await deleted;
  await expect(row).toHaveCount(0);
});

test("[ADMIN-32][ADMIN-33][ADMIN-34][ADMIN-35] exports hold one entity or all, under the day's name, and give their address up", async ({
  page,
  request,
  signIn,
}) => {
  const name = ownName("env");
  await createEntity(request, type, environment(name));
  await page.clock.install();
  await page.addInitScript(() => {
    const revoke = URL.revokeObjectURL.bind(URL);
    URL.revokeObjectURL = (url) => {
      document.documentElement.dataset["revoked"] = String(Number(document.documentElement.dataset["revoked"] ?? 0) + 1);
      revoke(url);
    };
  });
  await signIn("admin");
  await openAdmin(page, path, title);
  await rowOf(page, name);
  const day = await page.evaluate(() => {
    const now = new Date();
    return `${now.getFullYear()}${now.getMonth() + 1}${now.getDate()}`;
  });
  await stopClock(page);
  const one = await downloaded(page, async () => {
    await page.getByRole("button", { name: `Actions: ${name}`, exact: true }).click();
    await page.clock.runFor(500);
    await page.getByRole("menuitem", { name: "Export", exact: true }).click();
  });
  expect(one.name).toBe(`${type}-${day}.json`);
  expect(one.json).toMatchObject([{ name, displayName: `Desk ${name}` }]);
  expect(JSON.stringify(one.json)).not.toContain("version");
  await page.clock.runFor(1_900);
  await expect(page.locator("html[data-revoked]")).toHaveCount(0);
  await page.clock.runFor(200);
  await expect(page.locator("html[data-revoked='1']")).toHaveCount(1);
  const all = await downloaded(page, () => page.getByRole("button", { name: "Export All", exact: true }).click());
  expect(all.name).toBe(`${type}-${day}.json`);
  expect((all.json as { name: string }[]).map((each) => each.name)).toContain(name);
  await deleteEntity(request, type, name);
});

test("[ADMIN-47] a list that does not load says so and tries again", async ({ page, signIn }) => {
  await signIn("admin");
  const mend = await breakAnswer(page, `/api/admin/${type}`, "The database rests.");
  await openAdmin(page, path, title);
  await expect(page.getByRole("alert").filter({ hasText: "Error loading flow environments." })).toContainText("The database rests.");
  await mend();
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "New", exact: true }).first()).toBeVisible();
});

test("10,000 entities are filtered, sorted, chosen and scrolled", async ({ page, signIn }) => {
  await signIn("admin");
  await page.route(
    (url) => url.pathname === `/api/admin/${type}`,
    async (route) => {
      const real = await route.fetch();
      const json = Array.from({ length: 10_000 }, (_, at) => ({ ...environment(`env-${at}`), version: 1, enabled: at % 2 === 0 }));
      await route.fulfill({ response: real, json });
    },
  );
  await openAdmin(page, path, title);
  const grid = page.getByRole("grid", { name: title });
  await expect(grid).toHaveAttribute("aria-rowcount", "10001");
  expect(await grid.getByRole("row").count()).toBeLessThan(80);
  await page.getByRole("columnheader", { name: "id" }).getByRole("button").click();
  await expect(grid.getByRole("row").nth(1)).toContainText("env-9999");
  await grid.getByRole("row").nth(1).focus();
  await page.keyboard.press("End");
  await expect(grid.locator("[role=row]:focus")).toContainText("env-0");
  await page.keyboard.press("Space");
  await expect(page.getByRole("status").filter({ hasText: "1 of 10,000 selected" })).toBeVisible();
  await page.getByRole("textbox", { name: "Filter", exact: true }).fill("env-77");
  await expect(page.getByRole("status").filter({ hasText: "111 of 10,000 shown" })).toBeVisible();
  await page.getByRole("checkbox", { name: "Select all" }).check();
  await expect(page.getByRole("status").filter({ hasText: "111 of 111 selected" })).toBeVisible();
});
