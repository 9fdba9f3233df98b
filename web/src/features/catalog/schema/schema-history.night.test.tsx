import { descriptions } from "@fairway/contract/descriptions";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectCount, expectTexts } from "#testing/assertions.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { address, editor, kept, serveRevisions, dialog, revisions, changed, confirmRestore } from "#testing/schema-revisions.ts";

beforeEach(serveRevisions);

it("does not restore over what someone else saved meanwhile, but shows it", async () => {
  await openScreen(`${address}?dialog=history&revision=1`, editor);
  await expect.element(dialog().getByRole("button", { name: "Restore this version" })).toBeVisible();
  kept.states.push(["Theirs.", "Names return.", "In meters."]);
  await dialog().getByRole("button", { name: "Restore this version" }).click();
  await confirmRestore();
  await expect.element(page.getByRole("alert").filter({ hasText: "Someone else saved descriptions in the meantime." })).toBeVisible();
  expect(kept.states).toHaveLength(4);
  await expect.element(revisions().nth(3)).toBeVisible();
  await dialog().getByRole("button", { name: "Restore this version" }).click();
  await confirmRestore();
  await expect.poll(() => kept.states.at(-1)).toEqual(["Tracks.", "", ""]);
});

it("without schema-edit the history can only be read, says when there is none, and can be loaded again", async () => {
  gateway.refuse(descriptions.communityRevisions, "timed-out", "It took too long.", { times: 1 });
  await openScreen(`${address}?dialog=history&revision=2`);
  await dialog().getByRole("button", { name: "Retry" }).click();
  await expectTexts(changed(), [/^name/, /^wind/]);
  await expectCount(dialog().getByRole("button", { name: /^Restore/ }), 0);
  await openScreen(`${address}?dialog=history&revision=77`);
  await expect.element(dialog().getByText("This revision is no longer available. Choose another one.")).toBeVisible();
  gateway.answer(descriptions.communityRevisions, () => []);
  await openScreen(`${address}?dialog=history`);
  await expect.element(dialog().getByText("No one has saved community descriptions for this dataset yet.")).toBeVisible();
});
