import type { Revision } from "@fairway/contract/entities";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectCount } from "#testing/assertions.ts";
import { chooseInRow, openAdmin, serveEntities } from "#testing/entities.ts";
import { gateway } from "#testing/open-screen.tsx";

it("after a restore, shows the revisions only once they are the current ones", async () => {
  const reef = { name: "reef", roles: [] };
  const { routes } = serveEntities("ecosystems", [reef]);
  const revisions: Revision[] = [
    { revision: 2, atMs: 2_000, by: "root", action: "edit" },
    { revision: 1, atMs: 1_000, by: "root", action: "create" },
  ];
  const state = { ...reef, version: 1, enabled: true };
  gateway.answer(routes.revisions, () => revisions);
  gateway.answer(routes.revision, ({ params }) => ({
    revision: params.revision,
    atMs: 0,
    by: "root",
    action: "edit" as const,
    before: null,
    after: state,
  }));
  gateway.answer(routes.restore, () => state);
  await openAdmin("/ecosysystem-settings", "Ecosystems");
  await chooseInRow("reef", "Revisions");
  const dialog = page.getByRole("dialog", { name: "Revisions of reef" });
  await dialog.getByRole("button", { name: /created by root/ }).click();
  await dialog.getByRole("button", { name: "Restore this version", exact: true }).click();
  revisions.unshift({ revision: 3, atMs: 3_000, by: "root", action: "restore" });
  const release = gateway.hold(routes.revisions);
  await page.getByRole("dialog", { name: "Restore this version?" }).getByRole("button", { name: "Restore", exact: true }).click();
  await expectCount(dialog, 0);
  await chooseInRow("reef", "Revisions");
  await expect.element(dialog.getByRole("status", { name: "Loading revisions" })).toBeVisible();
  await expectCount(dialog.getByRole("listitem"), 0);
  release();
  await expectCount(dialog.getByRole("listitem"), 3);
});
