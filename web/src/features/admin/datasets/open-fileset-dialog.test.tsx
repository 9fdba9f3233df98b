import { filesets } from "@fairway/contract/filesets";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { chooseInRow, dialog, openAdmin, serveEntities } from "#testing/entities.ts";
import { serveFilesets } from "#testing/filesets.ts";
import { press } from "#testing/keyboard.ts";
import { gateway } from "#testing/open-screen.tsx";

const files: Record<string, number> = {};
const contents = () => page.getByRole("dialog", { name: "help" });
const names = () => [...contents().element().querySelectorAll("[role=gridcell][data-column=name]")].map((one) => one.textContent);
const question = (name: string) => page.getByRole("dialog", { name });

async function openHelp(): Promise<void> {
  for (const name of Object.keys(files)) delete files[name];
  Object.assign(files, { "faq.json": 2, "guides/start.pdf": 30, "one.txt": 1, "three.txt": 3, "two.txt": 2 });
  serveFilesets(gateway, { help: { files } }, ["help"]);
  gateway.answer(filesets.remove, ({ query: { file } }) => {
    delete files[file];
    return undefined;
  });
  serveEntities("filesets", [
    { id: "help", description: "Answers", s3Bucket: "demo", s3Prefix: "help", allowedRoles: [], allowsUploads: false },
  ]);
  await openAdmin("/fileset-settings", "Filesets");
  await chooseInRow("help", "Open");
  await expect.poll(names).toEqual(["guides/", "faq.json", "one.txt", "three.txt", "two.txt"]);
}

it("[FILESET-43] an administrator opens the fileset of the help, and Escape clears its filter before it closes the dialog", async () => {
  await openHelp();
  await expect.element(contents().getByRole("button", { name: "Upload" })).not.toBeInTheDocument();
  await contents().getByRole("button", { name: "guides/" }).click();
  await expect.poll(names).toEqual(["start.pdf"]);
  expect(location.pathname + location.search).toBe("/fileset-settings");
  const filter = contents().getByPlaceholder("filter directory");
  await filter.fill("zzz");
  await expect.element(contents().getByText("No name in this folder contains 'zzz'.")).toBeVisible();
  await expectAccessible({ within: ["[role=dialog]"] });
  await press("Escape", filter);
  await expect.poll(names).toEqual(["start.pdf"]);
  await press("Escape");
  await expect.element(contents()).not.toBeInTheDocument();
  await expect.element(page.getByRole("button", { name: "Actions: help" })).toHaveFocus();
});

it("an administrator deletes one file and several after a question, and the focus goes to what follows", async () => {
  await openHelp();
  await contents().getByRole("button", { name: "Delete one.txt" }).click();
  await expect.element(question("Delete one.txt?")).toHaveTextContent("This deletes the file from help for everyone. It cannot be undone.");
  await question("Delete one.txt?").getByRole("button", { name: "Cancel" }).click();
  expect(gateway.received(filesets.remove)).toEqual([]);
  await contents().getByRole("button", { name: "Delete one.txt" }).click();
  await question("Delete one.txt?").getByRole("button", { name: "Delete file" }).click();
  await expect.poll(names).toEqual(["guides/", "faq.json", "three.txt", "two.txt"]);
  expect(gateway.received(filesets.remove).map(({ params, query }) => [params.id, query.file])).toEqual([["help", "one.txt"]]);
  await expect.poll(() => document.activeElement?.querySelector("[data-column=name]")?.textContent).toBe("three.txt");

  await press("Shift+ArrowDown");
  await press("Delete");
  gateway.refuse(filesets.remove, "upstream-failed", "The store is away.", { times: 1 });
  await question("Delete 2 files?").getByRole("button", { name: "Delete files" }).click();
  await expect.element(page.getByText("The store is away.")).toBeVisible();
  await expect.element(page.getByText("Failed to Delete")).toBeVisible();
  expect(names()).toContain("three.txt");
  await contents().getByRole("group", { name: "Selected items" }).getByRole("button", { name: "Delete" }).click();
  await question("Delete 2 files?").getByRole("button", { name: "Delete files" }).click();
  await expect.poll(names).toEqual(["guides/", "faq.json"]);
  await expect.element(dialog()).toBeVisible();
});
