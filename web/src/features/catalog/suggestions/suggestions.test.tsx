import { descriptionSuggestions } from "@fairway/contract/description-suggestions";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectCount, expectTexts } from "#testing/assertions.ts";
import { press } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { address, editor, kept, suggestion, serveSuggestions, button, community, layer } from "#testing/suggestions.ts";

beforeEach(serveSuggestions);

const dialog = () => page.getByRole("dialog", { name: "Suggest a description" });
const field = () => dialog().getByRole("textbox", { name: "Description", exact: true });

async function describeColumn(name: string): Promise<void> {
  const select = dialog().getByRole("combobox", { name: "Describes" });
  await select.click();
  await select.fill(name);
  await page.getByRole("option", { name, exact: true }).click();
}

it("without schema-edit, a button of its own suggests descriptions; unsent texts survive a reload, and own suggestions can be changed and withdrawn", async () => {
  await openScreen(address);
  await button("Suggest a description").click();
  await expect.element(field()).toHaveValue("Count storms.");
  await expect.element(dialog().getByRole("button", { name: "Suggest", exact: true })).toBeDisabled();
  await field().fill("Count storms, not rows.");
  await expectTexts(dialog().getByRole("insertion"), [", not rows"]);
  await describeColumn("wind");
  await expect.element(field()).toHaveValue("Reported in steps of 5 kt.");
  await field().fill("refused");
  await expectAccessible();

  await openScreen(address);
  await expect.element(field()).toHaveValue("refused");
  await dialog().getByRole("button", { name: "Suggest 2 descriptions" }).click();
  await expect.element(dialog().getByRole("alert")).toHaveTextContent("Not suggested: You have 100 open suggestions already.");
  await field().fill("Reported in steps.");
  await dialog().getByRole("button", { name: "Suggest", exact: true }).click();
  await expectCount(dialog(), 0);
  await expect.element(page.getByText("Description suggested", { exact: true })).toBeVisible();

  await expect.element(layer().getByRole("listitem")).toHaveTextContent(/^You suggest, 11-20-2026Count storms, not rows\.ChangeWithdraw$/);
  await expectTexts(community("wind").getByRole("deletion"), ["of 5 kt"]);
  await community("wind").getByRole("button", { name: "Change" }).click();
  await expect.element(field()).toHaveValue("Reported in steps.");
  await expect.element(dialog().getByText("It replaces your open suggestion.")).toBeVisible();
  await field().fill("");
  await expect.element(dialog().getByRole("button", { name: "Suggest", exact: true })).toBeDisabled();
  await press("Escape");
  await page
    .getByRole("dialog", { name: "Discard" })
    .getByRole("button", { name: /Discard/ })
    .click();
  await expectCount(dialog(), 0);
  await community("wind").getByRole("button", { name: "Withdraw" }).click();
  await page.getByRole("dialog", { name: "Withdraw this suggestion?" }).getByRole("button", { name: "Withdraw" }).click();
  await expectCount(community("wind").getByRole("listitem"), 0);
  await expect.element(button("1 open suggestion of yours")).toBeVisible();
  expect(gateway.received(descriptionSuggestions.suggest).map(({ body }) => body)).toEqual([
    { columnName: null, description: "Count storms, not rows." },
    { columnName: "wind", description: "refused" },
    { columnName: "wind", description: "Reported in steps." },
  ]);
});

it("leads to the suggestion for a dataset without columns", async () => {
  kept.stored = { ...kept.stored, columns: [] };
  kept.open = [suggestion("1", null, "Count storms, not rows.")];
  await openScreen(address, editor);
  await button("1 suggestion to review").click();
  await expect.element(layer().getByRole("listitem")).toHaveFocus();
});
