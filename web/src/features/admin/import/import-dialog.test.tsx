import { entityDefinitions } from "@fairway/contract/administration";
import { describe, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectText, expectTexts, expectToastFor } from "#testing/assertions.ts";
import { openOnce } from "#testing/open-once.tsx";
import { openAdmin, rowOf, serveEntities } from "#testing/entities.ts";
import { chooseFile, collectDownloads } from "#testing/files.ts";
import { gateway } from "#testing/open-screen.tsx";

const type = "flowGroups";
const group = (name: string, description = "") => ({ name, displayName: `Group ${name}`, description });
const importing = page.getByRole("dialog", { name: "Import flow groups", exact: true });
const preview = importing.getByRole("region", { name: "Preview" });
const question = page.getByRole("dialog", { name: "Import and Replace?" });
const button = (name: string) => importing.getByRole("button", { name, exact: true });

const choose = (content: unknown, name = "groups.json"): Promise<void> =>
  chooseFile(importing.getByLabelText("File to import"), name, typeof content === "string" ? content : JSON.stringify(content));

async function openImport(): Promise<void> {
  await openAdmin("/flowgroup-settings", "Flow Groups");
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await expect.element(importing).toBeVisible();
}

const entities = [group("kept", "Now described"), group("fresh")];

it("[ADMIN-36][ADMIN-37] a chosen file is previewed, and can be imported with the existing entities or in their place", async () => {
  serveEntities(type, [group("kept")]);
  await openImport();
  await expect.element(importing.getByRole("button", { name: /Drop a JSON file here/ })).toBeVisible();
  for (const name of ["Import and Replace", "Import and Merge"]) await expect.element(button(name)).toBeDisabled();
  await choose({ entities });
  await expect.element(preview).toHaveTextContent("Added: 1");
  await expect.element(preview).toHaveTextContent("Changed: 1");
  await expect.element(preview).not.toHaveTextContent("Removed");
  await importing.getByText("Show the file").click();
  await expect.element(importing.getByRole("region", { name: "File", exact: true })).toHaveTextContent("Now described");
  for (const name of ["Import and Replace", "Import and Merge"]) await expect.element(button(name)).toBeEnabled();
  await expectAccessible({ within: ["[role=dialog]"] });
});

it("a preview says what an import means for those who read a dataset", async () => {
  const { routes } = serveEntities(type, [group("kept")]);
  const unlisted = { added: [], unchanged: [], removed: [], refused: [] };
  gateway.answer(routes.previewImport, { ...unlisted, changed: ["kept"], noted: [{ id: "kept", notes: ["keeps its access rules"] }] });
  await openImport();
  await choose({ entities });
  await expect.element(preview).toHaveTextContent("Who sees what: 1");
  await expect.element(preview.getByText("kept keeps its access rules")).toBeVisible();
});

it("[ADMIN-41][ADMIN-45] a file is merged without a question, and a toast says so for 2 seconds", async () => {
  serveEntities(type, [group("kept")]);
  await openImport();
  await choose({ entities });
  await expect.element(button("Import and Merge")).toBeEnabled();
  vi.useFakeTimers();
  await button("Import and Merge").click();
  await expectToastFor("2 entities imported", 2000);
  await expect.element(question).not.toBeInTheDocument();
  await expect.element(importing).not.toBeInTheDocument();
});

it("[ADMIN-42][ENTITY-12] an import sends the entities, and the table shows the list of the reply", async () => {
  const { routes } = serveEntities(type, [group("kept")]);
  await openImport();
  await choose({ entities });
  await button("Import and Merge").click();
  await expect.element(importing).not.toBeInTheDocument();
  expect(gateway.received(routes.import).map(({ body }) => body)).toEqual([{ entities, isReplace: false }]);
  await expectTexts(rowOf("fresh").getByRole("gridcell"), ["", "fresh", "Group fresh", "", "enabled", ""]);
  await expect.element(rowOf("kept").getByRole("gridcell", { name: "Now described" })).toBeVisible();
});

it("[ADMIN-40][ADMIN-43] a replacing import shows what would be removed, offers a backup and asks; declining stores nothing", async () => {
  const { routes, stored } = serveEntities(type, [group("kept")]);
  const { saved } = collectDownloads();
  await openImport();
  await choose([group("fresh")]);
  await importing.getByText("By replacing").click();
  await expect.element(preview).toHaveTextContent("Removed: 1");
  await button("Save a backup first").click();
  await expect.poll(() => saved.length).toBe(1);
  expect(JSON.parse((await saved[0]?.blob.text()) ?? "")).toEqual([expect.objectContaining(group("kept"))]);

  await button("Import and Replace").click();
  await expect
    .element(question)
    .toHaveTextContent("This will replace all existing entities with the new data. This action cannot be undone.");
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect.element(question).not.toBeInTheDocument();
  await expect.element(importing).toBeVisible();
  expect(gateway.received(routes.import)).toEqual([]);
  expect(stored.map(({ name }) => name)).toEqual(["kept"]);

  await button("Import and Replace").click();
  await question.getByRole("button", { name: "Replace", exact: true }).click();
  await expect.element(importing).not.toBeInTheDocument();
  expect(gateway.received(routes.import).map(({ body }) => body)).toEqual([{ entities: [group("fresh")], isReplace: true }]);
  await expect.element(rowOf("fresh")).toBeVisible();
  await expect.element(rowOf("kept")).not.toBeInTheDocument();
});

describe("a file that changes nothing", () => {
  openOnce(async () => {
    serveEntities(type);
    await openImport();
  });

  const alert = importing.getByRole("alert");

  it("[ADMIN-38] because it is too large", async () => {
    await choose(" ".repeat(2_000_001), "huge.json");
    await expectText(alert, 'Large FileThe file "huge.json" is too large, files must be under 2MB.');
  });

  it("[ADMIN-39] because it is no JSON", async () => {
    await choose("{ not json");
    await expect.element(alert).toHaveTextContent("Import Failed");
    await expect.element(alert).toHaveTextContent('Ensure the file "groups.json" is valid');
    await expect.element(button("Import and Merge")).toBeDisabled();
  });

  it("because none of its entities is valid", async () => {
    await choose([{ name: "bad", displayName: 5 }, 7]);
    await expect.element(preview).toHaveTextContent("Refused: 2");
    for (const name of ["Import and Merge", "Import and Replace"]) await expect.element(button(name)).toBeDisabled();
  });

  it("[ADMIN-46] because the gateway refuses it, which it explains", async () => {
    await choose([group("fine")]);
    gateway.refuse(entityDefinitions[type].routes.import, "internal", "The disk is full.");
    await button("Import and Merge").click();
    await expectText(alert, "Import FailedThe disk is full.");
  });
});
