import type { Revision } from "@fairway/contract/entities";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectCount } from "#testing/assertions.ts";
import { chooseInRow, openAdmin, serveEntities } from "#testing/entities.ts";
import { gateway } from "#testing/open-screen.tsx";

it("offers to restore earlier states and deleted entities, but not the current state", async () => {
  const reef = { name: "reef", roles: [] };
  const { routes } = serveEntities("ecosystems", [reef]);
  const revisions: Revision[] = [
    { revision: 2, atMs: 2_000, by: "root", action: "edit" },
    { revision: 1, atMs: 1_000, by: "root", action: "create" },
  ];
  const state = { ...reef, version: 1, enabled: true };
  gateway.answer(routes.revisions, () => revisions);
  gateway.answer(routes.revision, ({ params }) => {
    const found = revisions.find(({ revision }) => revision === params.revision);
    if (!found) throw new Error(`no revision ${params.revision}`);
    return {
      ...found,
      notes: ["changes who sees it"],
      before: found.action === "create" ? null : state,
      after: found.action === "delete" ? null : state,
    };
  });
  const open = async () => {
    await openAdmin("/ecosysystem-settings", "Ecosystems");
    await chooseInRow("reef", "Revisions");
  };
  const dialog = page.getByRole("dialog", { name: "Revisions of reef" });
  const restore = dialog.getByRole("button", { name: /^Restore/ });

  await open();
  await expect.element(dialog.getByText("Current version")).toBeVisible();
  await expectCount(restore, 0);
  await dialog.getByRole("button", { name: /created by root/ }).click();
  await expect.element(dialog.getByRole("button", { name: "Restore this version", exact: true })).toBeEnabled();
  await expectAccessible({ within: ["[role=dialog]"] });
  await dialog.getByRole("button", { name: "Restore this version", exact: true }).click();
  const question = page.getByRole("dialog", { name: "Restore this version?" });
  await expect.element(question).toHaveTextContent("The current version is kept as a revision. This changes who sees it.");
  await question.getByRole("button", { name: "Cancel" }).click();

  // Another administrator deletes it while the list is shown.
  revisions.unshift({ revision: 3, atMs: 3_000, by: "root", action: "delete" });
  await open();
  await expect.element(dialog.getByRole("button", { name: "Restore the previous version", exact: true })).toBeEnabled();
  await expect.element(dialog.getByText("Current version")).not.toBeInTheDocument();
});
