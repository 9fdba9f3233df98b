import { expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectCount, expectText, expectTexts, expectToastFor, isWithinWindow, toastShown } from "#testing/assertions.ts";
import {
  chooseInRow,
  dialog,
  dialogButton,
  filterField,
  jsonText,
  openAdmin,
  openRowMenu,
  rowOf,
  saveButton,
  serveEntities,
  writeJson,
} from "#testing/entities.ts";
import { focus, press } from "#testing/keyboard.ts";
import { gateway } from "#testing/open-screen.tsx";

const type = "flowEnvironments";
const environment = (name: string) => ({ name, displayName: `Desk ${name}`, baseUrl: "https://nifi.example.org", enabled: true });
const open = (): Promise<void> => openAdmin("/flowenvironment-settings", "Flow Environments");
const newButton = page.getByRole("button", { name: "New", exact: true });
const alert = page.getByRole("alert");

it("[ADMIN-03][ADMIN-04][ADMIN-05][ADMIN-06][ADMIN-07][ADMIN-08][ADMIN-47][ENTITY-13] a list that failed to load is loaded by Retry; a screen has its filter, buttons, columns, dots and menus", async () => {
  const { routes } = serveEntities(type, [environment("first"), environment("second")]);
  gateway.refuse(routes.list, "internal", "The database rests.", { times: 1 });
  await open();
  await expect.element(alert.filter({ hasText: "Error loading flow environments." })).toHaveTextContent("The database rests.");
  await page.getByRole("button", { name: "Retry" }).click();
  await expect.element(rowOf("first")).toBeVisible();
  await expect.element(alert).not.toBeInTheDocument();
  for (const name of ["New", "Export All", "Import"]) await expect.element(page.getByRole("button", { name, exact: true })).toBeVisible();
  const headers = ["", "id", "displayName", "baseUrl", "readTimeoutMs", "connectTimeoutMs", "enabled", "Actions"];
  await expectTexts(page.getByRole("columnheader"), headers);
  const rows = page.getByRole("grid").getByRole("row");
  await filterField().fill("FIRST");
  await expectCount(rows, 2);
  await filterField().fill("DESK first");
  await expectTexts(rowOf("first").getByRole("gridcell"), [
    "",
    "first",
    "Desk first",
    "https://nifi.example.org",
    "60000",
    "10000",
    "enabled",
    "",
  ]);
  await filterField().fill("nothing has this name");
  await expect.element(page.getByText("No flow environment matches “nothing has this name”.")).toBeVisible();
  await filterField().fill("first");
  await openRowMenu("first");
  await expectTexts(page.getByRole("menuitem"), ["Edit", "Copy", "Export", "Toggle Enabled", "Revisions", "Delete"]);
  await press("Escape");
  await expect.element(page.getByRole("button", { name: "Actions: first", exact: true })).toHaveFocus();
});

it("[ADMIN-09][ADMIN-10][ADMIN-11][ADMIN-12][ADMIN-18][ADMIN-19][ADMIN-21][ADMIN-22][ADMIN-26][ADMIN-28][ADMIN-29][ADMIN-30][ADMIN-31] an entity is created from a template whose problems are shown while typing, edited in the tree, copied without its id, disabled, and deleted after a question; success toasts are shown for their duration", async () => {
  const { routes, stored } = serveEntities(type);
  await open();
  await newButton.click();
  await expect.element(dialog().getByRole("heading", { name: "New flow environment" })).toBeVisible();
  await expect.element(jsonText()).toHaveTextContent('"displayName": ""');
  await writeJson({ ...environment("desk"), baseUrl: "ftp://nowhere" });
  await expect.element(dialog().getByRole("status").filter({ hasText: "/baseUrl is not an http or https address" })).toBeVisible();
  await writeJson(environment("desk"));
  await expectAccessible({ within: ["[role=dialog]"] });
  vi.useFakeTimers();
  await saveButton().click();
  await expectToastFor("desk created", 2000);
  await expect.element(dialog()).not.toBeInTheDocument();
  expect(gateway.received(routes.create).map(({ body }) => body)).toEqual([environment("desk")]);
  await expect.element(rowOf("desk")).toBeVisible();
  await expectAccessible();

  await chooseInRow("desk", "Edit");
  await expect.element(jsonText()).toHaveTextContent('"displayName": "Desk desk"');
  await dialog().getByText("Tree", { exact: true }).click();
  await expectCount(dialog().getByRole("treeitem"), 8);
  const display = dialog().getByRole("textbox", { name: "Value of displayName" });
  await expect.element(display).toHaveValue("Desk desk");
  await expectAccessible({ within: ["[role=dialog]"] });
  await display.fill("Night desk");
  await press("Enter", display);
  await dialog().getByText("Text", { exact: true }).click();
  await expect.element(jsonText()).toHaveTextContent('"displayName": "Night desk"');
  vi.useFakeTimers();
  await saveButton().click();
  await expectToastFor("desk saved", 1200);
  await expect.element(rowOf("desk").getByRole("gridcell", { name: "Night desk" })).toBeVisible();
  expect(gateway.received(routes.edit).map(({ body }) => body)).toEqual([
    expect.objectContaining({ name: "desk", displayName: "Night desk", version: 1 }),
  ]);

  await chooseInRow("desk", "Copy");
  await expect.element(jsonText()).toHaveTextContent('"name": ""');
  await writeJson({ ...environment("second"), displayName: "Second" });
  await saveButton().click();
  await expect.element(rowOf("second")).toBeVisible();

  await openRowMenu("desk");
  vi.useFakeTimers();
  await page.getByRole("menuitem", { name: "Toggle Enabled", exact: true }).click();
  await expectToastFor("desk disabled", 1200);

  gateway.refuse(routes.remove, "in-use", "Something refers to it.", { times: 1 });
  const question = page.getByRole("dialog", { name: "Delete desk?" });
  await chooseInRow("desk", "Delete");
  await question.getByRole("button", { name: "Cancel", exact: true }).click();
  await expect.element(question).not.toBeInTheDocument();
  await expect.element(rowOf("desk")).toBeVisible();
  expect(gateway.received(routes.remove)).toEqual([]);
  await chooseInRow("desk", "Delete");
  await question.getByRole("button", { name: "Delete", exact: true }).click();
  await expect.element(alert.filter({ hasText: "Failed to Delete" })).toHaveTextContent("Something refers to it.");
  await expect.element(rowOf("desk")).toBeVisible();
  await chooseInRow("desk", "Delete");
  await expect.element(question).toBeVisible();
  vi.useFakeTimers();
  await question.getByRole("button", { name: "Delete", exact: true }).click();
  await expectToastFor("desk deleted", 1200);
  await expect.element(rowOf("desk")).not.toBeInTheDocument();
  expect(gateway.received(routes.remove).map(({ params }) => params)).toEqual([{ id: "desk" }, { id: "desk" }]);
  expect(stored).toEqual([expect.objectContaining({ name: "second" })]);
});

it("[ADMIN-16][ADMIN-17][ADMIN-23] a failed save shows why, and nothing is lost", async () => {
  const { routes } = serveEntities(type, [environment("desk")]);
  await open();
  await newButton.click();
  for (const name of [5, ""]) {
    await writeJson({ ...environment("desk"), name });
    await saveButton().click();
    await expectText(dialog().getByRole("alert"), "Invalid IDA valid String ID must be given.");
  }
  await writeJson("{ not json");
  await expect.element(saveButton()).toBeDisabled();
  await dialogButton("Cancel").click();
  await expect.element(dialog()).not.toBeInTheDocument();

  await chooseInRow("desk", "Edit");
  await writeJson(environment("somebody-else"));
  await saveButton().click();
  await expect.element(dialog().getByRole("alert")).toHaveTextContent("ID Not Found");
  expect(gateway.received(routes.create)).toEqual([]);
  expect(gateway.received(routes.edit)).toEqual([]);

  await writeJson({ ...environment("desk"), displayName: "" });
  await saveButton().click();
  await expect.element(dialog().getByRole("alert")).toHaveTextContent("Failed to Save");
  await expect.element(dialog().getByRole("alert")).toHaveTextContent("displayName");
  await expect.element(jsonText()).toHaveTextContent('"displayName": ""');
  expect(gateway.received(routes.edit)).toHaveLength(1);
});

it("[ADMIN-24][ADMIN-25][ADMIN-27] a failed toggle shows why; the latest failure is in view and earlier ones are kept", async () => {
  const { routes } = serveEntities(type, [environment("desk")]);
  await open();
  const problems = ["The disk is full.", "Second problem.", "Third problem.", "Fourth problem."];
  for (const problem of problems) {
    gateway.refuse(routes.disable, "internal", problem, { times: 1 });
    await chooseInRow("desk", "Toggle Enabled");
    const shown = alert.filter({ hasText: problem });
    await expect.element(shown).toHaveTextContent("Failed to Enable/Disable");
    await expect.element(shown).toBeInViewport({ ratio: 1 });
    await expect.element(rowOf("desk").getByText("enabled", { exact: true })).toBeInTheDocument();
  }
  const earlier = alert.filter({ hasText: "2 earlier errors" });
  await earlier.getByText("2 earlier errors").click();
  await expectTexts(earlier.getByRole("listitem"), [/The disk is full\./, /Second problem\./]);
  for (const state of ["disabled", "enabled"]) {
    await openRowMenu("desk");
    vi.useFakeTimers();
    await page.getByRole("menuitem", { name: "Toggle Enabled", exact: true }).click();
    const shown = await toastShown(`desk ${state}`);
    await vi.advanceTimersByTimeAsync(500);
    expect(isWithinWindow(shown)).toBe(true);
    vi.useRealTimers();
    await expect.element(rowOf("desk").getByText(state, { exact: true })).toBeInTheDocument();
  }
  expect(gateway.received(routes.disable)).toHaveLength(problems.length + 1);
  expect(gateway.received(routes.enable)).toHaveLength(1);
  await earlier.getByRole("button", { name: "Close" }).click();
  await expect.element(earlier).not.toBeInTheDocument();
});

it("10,000 entities can be filtered, sorted, selected and scrolled", async () => {
  const many = Array.from({ length: 10_000 }, (_, index) => ({ ...environment(`env-${index}`), version: 1, enabled: index % 2 === 0 }));
  gateway.answer(serveEntities(type).routes.list, many);
  await open();
  const grid = page.getByRole("grid", { name: "Flow Environments" });
  const rows = grid.getByRole("row");
  await expect.element(grid).toHaveAttribute("aria-rowcount", "10001");
  expect(rows.elements().length).toBeLessThan(80);
  await page.getByRole("columnheader", { name: "id" }).getByRole("button").click();
  await expect.element(rows.nth(1)).toHaveTextContent("env-9999");
  await focus(rows.nth(1));
  await press("End");
  await expect.poll(() => document.activeElement?.textContent).toContain("env-0");
  await userEvent.keyboard(" ");
  await expect.element(page.getByRole("status").filter({ hasText: "1 of 10,000 selected" })).toBeVisible();
  await filterField().fill("env-77");
  await expect.element(page.getByRole("status").filter({ hasText: "111 of 10,000 shown" })).toBeVisible();
  await page.getByRole("checkbox", { name: "Select all" }).click();
  await expect.element(page.getByRole("status").filter({ hasText: "111 of 111 selected" })).toBeVisible();
});

it("a dialog opened from a row returns the focus to the row's button", async () => {
  const { routes } = serveEntities("groups", [{ id: "g-1", name: "Viewers" }]);
  serveEntities("roles");
  gateway.answer(routes.revisions, []);
  await openAdmin("/group-settings", "Groups");
  const button = page.getByRole("button", { name: "Actions: Viewers", exact: true });
  // The second time each dialog is already loaded and opens at once.
  for (let time = 1; time <= 2; time += 1) {
    for (const entry of ["Revisions", "Delete"]) {
      await chooseInRow("Viewers", entry);
      await expect.element(dialog()).toBeVisible();
      await press("Escape");
      await expect.element(dialog()).not.toBeInTheDocument();
      await expect.element(button).toHaveFocus();
    }
  }

  // An entity that fails to load can be retried.
  gateway.refuse(routes.get, "internal", "The database rests.", { times: 1 });
  await chooseInRow("Viewers", "Edit");
  const failure = dialog().getByRole("alert");
  await expect.element(failure).toHaveTextContent("The group could not be loaded.");
  await expect.element(failure).toHaveTextContent("The database rests.");
  await failure.getByRole("button", { name: "Retry", exact: true }).click();
  await expect.element(saveButton()).toBeVisible();
  await press("Escape");
  await expect.element(dialog()).not.toBeInTheDocument();
  await expect.element(button).toHaveFocus();
});
