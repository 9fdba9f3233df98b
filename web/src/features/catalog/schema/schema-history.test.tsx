import { beforeEach, expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectAddress, expectCount, expectTexts } from "#testing/assertions.ts";
import { openScreen } from "#testing/open-screen.tsx";
import { address, editor, kept, serveRevisions, dialog, revisions, changed, confirmRestore } from "#testing/schema-revisions.ts";

beforeEach(serveRevisions);

const openHistory = async () => {
  await page.getByRole("main").getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "History of Community Descriptions" }).click();
};

it("shows who changed which description, and restores a state or a single description as a new revision", async () => {
  await openScreen(address, editor);
  await openHistory();
  await expectTexts(revisions(), [/by grace$/, /suggested by joan, approved by grace$/]);
  await expectTexts(changed(), [/^Dataset.*Tracks\..*Count storms\./, /^wind.*In knots\..*In meters\./]);
  await expect.element(dialog().getByText("Current version")).toBeVisible();
  await expectAccessible();

  // The state before the last one of a page is on the next page.
  await revisions().nth(1).click();
  await expectTexts(changed(), [/^name.*Names return\./, /^wind.*In knots\./]);
  await expectTexts(revisions(), [/by grace$/, /approved by grace$/, /by ada$/]);
  await expectAddress(`${address}?dialog=history&revision=2`);

  await dialog().getByRole("button", { name: "Restore only wind" }).click();
  await confirmRestore();
  await expect.poll(() => kept.states.at(-1)).toEqual(["Count storms.", "Names return.", "In knots."]);
  await expectTexts(revisions(), [/by grace$/, /by grace$/, /approved by grace$/, /by ada$/]);

  await revisions().nth(3).click();
  await dialog().getByRole("button", { name: "Restore this version" }).click();
  await confirmRestore();
  await expect.poll(() => kept.states.at(-1)).toEqual(["Tracks.", "", ""]);
  await expect.element(dialog().getByText("Current version")).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await expectCount(dialog(), 0);
  await expectAddress(address);
  await expect.element(page.getByRole("region", { name: "Community description" })).toHaveTextContent("Tracks.");
});
