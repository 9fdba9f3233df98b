import { alertAdministration } from "@fairway/contract/alerts";
import { expect, it } from "vitest";
import { type Locator, page } from "vitest/browser";
import { editorDialogs } from "#testing/editors.ts";
import { gateway, reloadScreen } from "#testing/open-screen.tsx";
import { open } from "#testing/kept-drafts.ts";
import { earthquakes, openForm } from "#testing/datasets-screen.ts";
import { fewRows, openResults } from "#testing/results.ts";

const question = page.getByRole("dialog", { name: "Discard your changes?", exact: true });
const restored = "Restored what you typed before the page was reloaded.";
const note = page.getByText(restored);

const textOf = (field: Locator): string => {
  const element = field.elements()[0];
  return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement ? element.value : (element?.textContent ?? "");
};

for (const editor of editorDialogs.filter(({ keeps }) => keeps !== undefined)) {
  const { file, screen, opener, dialog, field, text = "Typed", keeps, close = "Close" } = editor;
  it(`${file} offers what was typed after a reload, until it is discarded`, async () => {
    await screen();
    const typed = await open(editor);
    const before = textOf(typed);
    await typed.fill(text);
    await expect.poll(() => textOf(field(dialog()))).toBe(text);
    await screen();
    if (keeps !== "reopened") await open(editor);
    await expect.element(dialog()).toBeVisible();
    await expect.poll(() => textOf(field(dialog()))).toBe(text);
    await expect.element(dialog().getByText(restored)).toBeVisible();

    // Not by a key: a dialog takes the focus some frames after it is shown.
    await dialog().getByRole("button", { name: close, exact: true }).first().click();
    await question.getByRole("button", { name: "Discard" }).click();
    await expect.element(dialog()).not.toBeInTheDocument();
    await screen();
    await expect.element(opener()).toBeVisible();
    expect(textOf(await open(editor))).toBe(before);
    await expect.element(note).not.toBeInTheDocument();
  });
}

it("keeps what is typed in the filter bars over a reload and another dataset", async () => {
  await openForm(earthquakes);
  const bar = () => page.getByRole("combobox", { name: "Type a filter" });
  await bar().fill("mag >");
  await reloadScreen();
  await expect.element(bar()).toHaveValue("mag >");
  await openResults(fewRows);
  await bar().fill("wind >= ");
  await reloadScreen();
  await expect.element(bar()).toHaveValue("wind >= ");
  await bar().fill("");
  await reloadScreen();
  await expect.element(page.getByRole("grid")).toBeVisible();
  await expect.element(bar()).toHaveValue("");
});

it("a reason that was sent is not offered again", async () => {
  gateway.answer(alertAdministration.end, undefined);
  const editor = editorDialogs.find(({ file }) => file === "features/admin/accounts/all-alerts-page.tsx");
  if (!editor) throw new Error("There is no such editor.");
  await editor.screen();
  await (await open(editor)).fill("Costs too much.");
  await editor.screen();
  await open(editor);
  await editor.dialog().getByRole("button", { name: "End alert" }).click();
  await expect.element(editor.dialog()).not.toBeInTheDocument();
  await editor.screen();
  await expect.element(await open(editor)).toHaveValue("");
  await expect.element(note).not.toBeInTheDocument();
});
