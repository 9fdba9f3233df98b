import { entityDefinitions } from "@fairway/contract/administration";
import { describe, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectCount, expectText, expectTexts, expectToastFor, isWithinWindow, toastShown } from "#testing/assertions.ts";
import { openOnce } from "#testing/open-once.tsx";
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
import { press } from "#testing/keyboard.ts";
import { gateway } from "#testing/open-screen.tsx";

const type = "flowEnvironments";
const { routes } = entityDefinitions[type];
const environment = (name: string) => ({ name, displayName: `Desk ${name}`, baseUrl: "https://nifi.example.org", enabled: true });
const open = (): Promise<void> => openAdmin("/flowenvironment-settings", "Flow Environments");
const newButton = page.getByRole("button", { name: "New", exact: true });
const alert = page.getByRole("alert");

/** Opens the screen of these environments. */
const openWith = (...names: string[]) => {
  serveEntities(type, names.map(environment));
  return open();
};

describe("the screen of a type", () => {
  openOnce(() => openWith("first", "second"));
  const rows = page.getByRole("grid").getByRole("row");

  it("[ADMIN-05] has the buttons New, Export All and Import", async () => {
    for (const name of ["New", "Export All", "Import"]) await expect.element(page.getByRole("button", { name, exact: true })).toBeVisible();
  });

  it("[ADMIN-06][ENTITY-13] has a table with the id, followed by the columns of the type", async () => {
    const headers = ["", "id", "displayName", "baseUrl", "readTimeoutMs", "connectTimeoutMs", "enabled", "Actions"];
    await expectTexts(page.getByRole("columnheader"), headers);
    const cells = ["", "first", "Desk first", "https://nifi.example.org", "60000", "10000", "enabled", ""];
    await expectTexts(rowOf("first").getByRole("gridcell"), cells);
  });

  it("[ADMIN-07] has a dot in each row that says whether the entity is enabled", async () => {
    for (const name of ["first", "second"]) await expect.element(rowOf(name).getByText("enabled", { exact: true })).toBeInTheDocument();
  });

  it("[ADMIN-03][ADMIN-04] has a filter that finds parts of the id or the columns, in any case", async () => {
    await filterField().fill("FIRST");
    await expectCount(rows, 2);
    await filterField().fill("DESK second");
    await expectCount(rows, 2);
    await expect.element(rowOf("second")).toBeVisible();
    await filterField().fill("nothing has this name");
    await expect.element(page.getByText("No flow environment matches “nothing has this name”.")).toBeVisible();
    await filterField().fill("");
    await expectCount(rows, 3);
  });

  it("[ADMIN-08] has a menu of actions in each row", async () => {
    await openRowMenu("first");
    await expectTexts(page.getByRole("menuitem"), ["Edit", "Copy", "Export", "Toggle Enabled", "Revisions", "Delete"]);
    await press("Escape");
    await expect.element(page.getByRole("button", { name: "Actions: first", exact: true })).toHaveFocus();
  });
});

it("[ADMIN-47] a list that failed to load is loaded by Retry", async () => {
  serveEntities(type, [environment("first")]);
  gateway.refuse(routes.list, "internal", "The database rests.", { times: 1 });
  await open();
  await expect.element(alert.filter({ hasText: "Error loading flow environments." })).toHaveTextContent("The database rests.");
  await page.getByRole("button", { name: "Retry" }).click();
  await expect.element(rowOf("first")).toBeVisible();
  await expect.element(alert).not.toBeInTheDocument();
});

describe("New", () => {
  openOnce(async () => {
    await openWith();
    await newButton.click();
  });

  it("[ADMIN-09] opens an editor of JSON with a template, which shows problems while typing", async () => {
    await expect.element(dialog().getByRole("heading", { name: "New flow environment" })).toBeVisible();
    await expect.element(jsonText()).toHaveTextContent('"displayName": ""');
    await writeJson({ ...environment("desk"), baseUrl: "ftp://nowhere" });
    await expect.element(dialog().getByRole("status").filter({ hasText: "/baseUrl is not an http or https address" })).toBeVisible();
    await writeJson(environment("desk"));
    await expectAccessible({ within: ["[role=dialog]"] });
  });

  it("[ADMIN-18][ADMIN-21] creates the entity, which the table then has, and says so for 2 seconds", async () => {
    await writeJson(environment("desk"));
    vi.useFakeTimers();
    await saveButton().click();
    await expectToastFor("desk created", 2000);
    await expect.element(dialog()).not.toBeInTheDocument();
    expect(gateway.received(routes.create).map(({ body }) => body)).toEqual([environment("desk")]);
    await expect.element(rowOf("desk")).toBeVisible();
  });
});

describe("Edit", () => {
  openOnce(async () => {
    await openWith("desk");
    await chooseInRow("desk", "Edit");
  });

  const writeInTree = async (value: string) => {
    const display = dialog().getByRole("textbox", { name: "Value of displayName" });
    await dialog().getByText("Tree", { exact: true }).click();
    await display.fill(value);
    await press("Enter", display);
  };

  it("[ADMIN-10][ADMIN-11] opens the editor with the entity as text or tree, and switching keeps the content", async () => {
    await expect.element(jsonText()).toHaveTextContent('"displayName": "Desk desk"');
    await dialog().getByText("Tree", { exact: true }).click();
    await expectCount(dialog().getByRole("treeitem"), 8);
    await expect.element(dialog().getByRole("textbox", { name: "Value of displayName" })).toHaveValue("Desk desk");
    await expectAccessible({ within: ["[role=dialog]"] });
    await writeInTree("Evening desk");
    await dialog().getByText("Text", { exact: true }).click();
    await expect.element(jsonText()).toHaveTextContent('"displayName": "Evening desk"');
  });

  it("[ADMIN-19][ADMIN-22] saves the entity, whose new values the table then shows, and says so for 1.2 seconds", async () => {
    await writeInTree("Night desk");
    vi.useFakeTimers();
    await saveButton().click();
    await expectToastFor("desk saved", 1200);
    await expect.element(rowOf("desk").getByRole("gridcell", { name: "Night desk" })).toBeVisible();
    expect(gateway.received(routes.edit).map(({ body }) => body)).toEqual([
      expect.objectContaining({ name: "desk", displayName: "Night desk", version: 1 }),
    ]);
  });
});

it("[ADMIN-12] Copy opens the editor with the entity without its id", async () => {
  await openWith("desk");
  await chooseInRow("desk", "Copy");
  await expect.element(jsonText()).toHaveTextContent('"name": ""');
  await expect.element(jsonText()).toHaveTextContent('"displayName": "Desk desk"');
  await writeJson({ ...environment("second"), displayName: "Second" });
  await saveButton().click();
  await expect.element(rowOf("second")).toBeVisible();
});

describe("Delete", () => {
  openOnce(() => openWith("desk", "second"));
  const question = page.getByRole("dialog", { name: "Delete desk?" });
  const removed = () => gateway.received(routes.remove).map(({ params }) => params);
  const confirm = () => question.getByRole("button", { name: "Delete", exact: true }).click();

  it("[ADMIN-28] asks, and declining keeps the entity", async () => {
    await chooseInRow("desk", "Delete");
    await question.getByRole("button", { name: "Cancel", exact: true }).click();
    await expect.element(question).not.toBeInTheDocument();
    await expect.element(rowOf("Desk desk")).toBeVisible();
    expect(removed()).toEqual([]);
  });

  it("[ADMIN-31] shows why it failed, and the row stays", async () => {
    gateway.refuse(routes.remove, "in-use", "Something refers to it.", { times: 1 });
    await chooseInRow("desk", "Delete");
    await confirm();
    await expect.element(alert.filter({ hasText: "Failed to Delete" })).toHaveTextContent("Something refers to it.");
    await expect.element(rowOf("Desk desk")).toBeVisible();
  });

  it("[ADMIN-29][ADMIN-30] deletes the entity, whose row disappears, and says so for 1.2 seconds", async () => {
    await chooseInRow("desk", "Delete");
    await expect.element(question).toBeVisible();
    vi.useFakeTimers();
    await confirm();
    await expectToastFor("desk deleted", 1200);
    await expect.element(rowOf("Desk desk")).not.toBeInTheDocument();
    await expect.element(rowOf("second")).toBeVisible();
    expect(removed().at(-1)).toEqual({ id: "desk" });
  });
});

describe("a save that fails", () => {
  openOnce(() => openWith("desk"));
  const failure = () => dialog().getByRole("alert");
  const cancel = async () => {
    await dialogButton("Cancel").click();
    await expect.element(dialog()).not.toBeInTheDocument();
  };

  it("[ADMIN-16] says that an id is no string, and sends nothing; text that is no JSON cannot be saved", async () => {
    await newButton.click();
    for (const name of [5, ""]) {
      await writeJson({ ...environment("desk"), name });
      await saveButton().click();
      await expectText(failure(), "Invalid IDA valid String ID must be given.");
    }
    await writeJson("{ not json");
    await expect.element(saveButton()).toBeDisabled();
    await cancel();
    expect(gateway.received(routes.create)).toEqual([]);
  });

  it("[ADMIN-17] says that an edited id is not in the list, and sends nothing", async () => {
    await chooseInRow("desk", "Edit");
    await writeJson(environment("somebody-else"));
    await saveButton().click();
    await expect.element(failure()).toHaveTextContent("ID Not Found");
    expect(gateway.received(routes.edit)).toEqual([]);
    await cancel();
  });

  it("[ADMIN-23] shows what the gateway says, and nothing is lost", async () => {
    await chooseInRow("desk", "Edit");
    await writeJson({ ...environment("desk"), displayName: "" });
    await saveButton().click();
    await expect.element(failure()).toHaveTextContent("Failed to Save");
    await expect.element(failure()).toHaveTextContent("displayName");
    await expect.element(jsonText()).toHaveTextContent('"displayName": ""');
    expect(gateway.received(routes.edit)).toHaveLength(1);
    await cancel();
  });
});

describe("Toggle Enabled", () => {
  openOnce(() => openWith("desk"));
  const state = (name: "enabled" | "disabled") => rowOf("desk").getByText(name, { exact: true });
  const toggle = async () => {
    await openRowMenu("desk");
    vi.useFakeTimers();
    await page.getByRole("menuitem", { name: "Toggle Enabled", exact: true }).click();
  };
  const earlier = alert.filter({ hasText: "2 earlier errors" });

  it("[ADMIN-27] shows why it failed and changes nothing; the latest failure is in view and earlier ones are kept", async () => {
    for (const problem of ["The disk is full.", "Second problem.", "Third problem.", "Fourth problem."]) {
      gateway.refuse(routes.disable, "internal", problem, { times: 1 });
      await chooseInRow("desk", "Toggle Enabled");
      const shown = alert.filter({ hasText: problem });
      await expect.element(shown).toHaveTextContent("Failed to Enable/Disable");
      await expect.element(shown).toBeInViewport({ ratio: 1 });
      await expect.element(state("enabled")).toBeInTheDocument();
    }
    await earlier.getByText("2 earlier errors").click();
    await expectTexts(earlier.getByRole("listitem"), [/The disk is full\./, /Second problem\./]);
    await toggle();
    // Failures do not cover what succeeds after them.
    const shown = await toastShown("desk disabled");
    await vi.advanceTimersByTimeAsync(500);
    expect(isWithinWindow(shown)).toBe(true);
    vi.useRealTimers();
    await expect.element(state("disabled")).toBeInTheDocument();
    await earlier.getByRole("button", { name: "Close" }).click();
    await expect.element(earlier).not.toBeInTheDocument();
    await chooseInRow("desk", "Toggle Enabled");
    await expect.element(state("enabled")).toBeInTheDocument();
  });

  it("[ADMIN-24][ADMIN-25] disables what is enabled and enables what is disabled, as the dot shows", async () => {
    const sent = () => [routes.disable, routes.enable].map((route) => gateway.received(route).length);
    const [disables = 0, enables = 0] = sent();
    await chooseInRow("desk", "Toggle Enabled");
    await expect.element(state("disabled")).toBeInTheDocument();
    expect(sent()).toEqual([disables + 1, enables]);
    await chooseInRow("desk", "Toggle Enabled");
    await expect.element(state("enabled")).toBeInTheDocument();
    expect(sent()).toEqual([disables + 1, enables + 1]);
  });
});

it("[ADMIN-26] Toggle Enabled says for 1.2 seconds that it succeeded", async () => {
  await openWith("desk");
  await openRowMenu("desk");
  vi.useFakeTimers();
  await page.getByRole("menuitem", { name: "Toggle Enabled", exact: true }).click();
  await expectToastFor("desk disabled", 1200);
});
