import { expect, it } from "vitest";
import { type Locator, page } from "vitest/browser";
import { editorDialogs, type EditorDialog, editorPages } from "#testing/editors.ts";
import { press } from "#testing/keyboard.ts";

const question = page.getByRole("dialog", { name: "Discard your changes?", exact: true });

async function expectGone(dialog: Locator): Promise<void> {
  await expect.element(dialog).not.toBeInTheDocument();
}

async function chooseItem(name: string): Promise<void> {
  // A menu takes the focus some frames after it is shown.
  await expect.poll(() => document.activeElement?.closest("[role=menu]") ?? null).not.toBeNull();
  await press("Enter", page.getByRole("menuitem", { name, exact: true }));
}

async function open({ opener, item, dialog, step, field }: EditorDialog): Promise<Locator> {
  await press("Enter", opener());
  if (item !== undefined) await chooseItem(item);
  await expect.element(dialog()).toBeVisible();
  await step?.(dialog());
  await expect.element(field(dialog())).toBeVisible();
  // A dialog takes the focus some frames after it is shown.
  await expect.poll(() => dialog().element().contains(document.activeElement)).toBe(true);
  return field(dialog());
}

/** Closes without saving, by the key where the dialog has it, otherwise by its button. */
async function close({ dialog, escape, close = "Close" }: EditorDialog): Promise<void> {
  if (escape === false) await press("Enter", dialog().getByRole("button", { name: close, exact: true }).first());
  else await press("Escape");
}

/** Answers the question with Keep editing. The text and the focus are where they were. */
async function keepEditing(editor: EditorDialog, field: Locator, text: string): Promise<void> {
  await expect.element(question.getByRole("button", { name: "Keep editing" })).toHaveFocus();
  await press("Enter");
  await expectGone(question);
  await expectText(field, text);
  await expect.poll(() => editor.dialog().element().contains(document.activeElement)).toBe(true);
}

async function expectText(field: Locator, text: string): Promise<void> {
  const element = await field.findElement();
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) await expect.element(field).toHaveValue(text);
  else await expect.element(field).toHaveTextContent(text);
}

for (const editor of editorDialogs) {
  const { file, screen, dialog, text = "Typed", escape, outside, staysOverScreens, opener, close: closeName = "Close" } = editor;
  it(`${file} asks before it loses what was typed, and returns the focus`, async () => {
    const before = location.pathname;
    // Another screen to go back to. The router numbers the entry of the opened one 0.
    history.replaceState({ __TSR_index: -1 }, "", "/faq");
    history.pushState(null, "", before);
    await screen();
    await open(editor);
    await close(editor);
    await expectGone(dialog());
    await expectGone(question);
    await expect.element(opener()).toHaveFocus();

    const field = await open(editor);
    await field.fill(text);
    if (escape !== false) {
      await press("Escape");
      await keepEditing(editor, field, text);
    }
    await press("Enter", dialog().getByRole("button", { name: closeName, exact: true }).first());
    await keepEditing(editor, field, text);
    await page.elementLocator(document.body).click({ position: { x: 3, y: 3 } });
    if (outside !== false) await keepEditing(editor, field, text);
    const { href } = location;
    if (staysOverScreens !== true) {
      history.back();
      await keepEditing(editor, field, text);
    }
    expect(location.href).toBe(href);
    await close(editor);
    await press("Enter", question.getByRole("button", { name: "Discard" }));
    await expectGone(dialog());
    await expect.element(opener()).toHaveFocus();
  });
}

for (const { file, screen, field } of editorPages) {
  it(`${file} asks before a link or Back loses what was typed`, async () => {
    const link = page.getByRole("link", { name: "FAQ", exact: true });
    await screen();
    await field().fill("Typed");
    const { href } = location;
    await page.getByRole("navigation", { name: "Main" }).getByRole("button", { name: "Docs" }).click();
    await link.click();
    await question.getByRole("button", { name: "Keep editing" }).click();
    await expectGone(question);
    await expect.element(field()).toHaveValue("Typed");
    expect(location.href).toBe(href);
  });
}
