import { expect, it } from "vitest";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectTexts } from "#testing/assertions.ts";
import { chooseInRow, dialog, dialogButton, jsonText, openAdmin, rowOf, saveButton, serveEntities, writeJson } from "#testing/entities.ts";
import { gateway } from "#testing/open-screen.tsx";

const doc = { id: "guide", name: "Guide", category: "Help", description: "" };

/** Simulates a save of these fields by another administrator. */
function saveElsewhere({ stored }: ReturnType<typeof serveEntities>, fields: object): void {
  const [before] = stored;
  if (before) stored.splice(0, 1, { ...before, ...fields, version: before.version + 1 });
}

it("an edit starts with the stored version; concurrent changes of different fields are both saved, and of those of the same field both versions are shown, either of which can be kept", async () => {
  const docs = serveEntities("docs", [doc]);
  await openAdmin("/doc-settings", "Docs");
  await expect.element(rowOf("guide")).toHaveTextContent("Help");
  saveElsewhere(docs, { category: "Theirs" });
  await chooseInRow("guide", "Edit");
  await expect.element(jsonText()).toHaveTextContent('"category": "Theirs"');
  saveElsewhere(docs, { category: "Theirs again" });
  await writeJson({ ...doc, category: "Theirs", description: "Mine", enabled: true });
  await saveButton().click();
  await expect.element(dialog()).not.toBeInTheDocument();
  const cells = ["", "guide", "Guide", "Theirs again", "Mine", "enabled", ""];
  await expectTexts(rowOf("guide").getByRole("gridcell"), cells);
  expect(gateway.received(docs.routes.edit).map(({ body }) => body["version"])).toEqual([2, 3]);

  await chooseInRow("guide", "Edit");
  await expect.element(jsonText()).toHaveTextContent('"category": "Theirs again"');
  saveElsewhere(docs, { category: "Theirs" });
  await writeJson({ ...doc, category: "Mine", enabled: true });
  await saveButton().click();
  await expect.element(dialog().getByRole("alert")).toHaveTextContent("Changed by someone else");
  const both = dialog().getByRole("region", { name: "Both versions", exact: true });
  await expect.element(both.getByRole("deletion").filter({ hasText: "Theirs" })).toBeVisible();
  await expect.element(both.getByRole("insertion").filter({ hasText: "Mine" })).toBeVisible();
  await expectAccessible({ within: ["[role=dialog]"] });
  await dialogButton("Take theirs").click();
  await expect.element(jsonText()).toHaveTextContent('"category": "Theirs"');
  await saveButton().click();
  await expect.element(dialog()).not.toBeInTheDocument();
  expect(docs.stored).toEqual([expect.objectContaining({ category: "Theirs", version: 6 })]);

  await chooseInRow("guide", "Edit");
  await expect.element(jsonText()).toHaveTextContent('"category": "Theirs"');
  saveElsewhere(docs, { category: "Theirs again" });
  await writeJson({ ...doc, category: "Mine", enabled: true });
  await saveButton().click();
  await dialogButton("Keep mine and continue").click();
  await expect.element(jsonText()).toHaveTextContent('"category": "Mine"');
  await saveButton().click();
  await expect.element(dialog()).not.toBeInTheDocument();
  expect(docs.stored).toEqual([expect.objectContaining({ category: "Mine", version: 8 })]);
});
