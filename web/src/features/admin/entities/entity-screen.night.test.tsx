import { expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { chooseInRow, dialog, filterField, openAdmin, saveButton, serveEntities } from "#testing/entities.ts";
import { focus, press } from "#testing/keyboard.ts";
import { gateway } from "#testing/open-screen.tsx";

const type = "flowEnvironments";
const environment = (name: string) => ({ name, displayName: `Desk ${name}`, baseUrl: "https://nifi.example.org", enabled: true });
const open = (): Promise<void> => openAdmin("/flowenvironment-settings", "Flow Environments");

it("10,000 entities can be filtered, sorted, selected and scrolled", async () => {
  const many = Array.from({ length: 10_000 }, (_, index) => ({ ...environment(`env-${index}`), version: 1, enabled: index % 2 === 0 }));
  gateway.answer(serveEntities(type).routes.list, many);
  await open();
  const grid = page.getByRole("grid", { name: "Flow Environments" });
  const rows = grid.getByRole("row");
  await expect.element(grid).toHaveAttribute("aria-rowcount", "10001");
  expect(rows.elements().length).toBeLessThan(80);
  await page.getByRole("columnheader", { name: "id" }).getByRole("button").click();
  await expect.element(rows.nth(1)).toHaveTextContent("env-9999");
  await focus(rows.nth(1));
  await press("End");
  await expect.poll(() => document.activeElement?.textContent).toContain("env-0");
  await userEvent.keyboard(" ");
  await expect.element(page.getByRole("status").filter({ hasText: "1 of 10,000 selected" })).toBeVisible();
  await filterField().fill("env-77");
  await expect.element(page.getByRole("status").filter({ hasText: "111 of 10,000 shown" })).toBeVisible();
  await page.getByRole("checkbox", { name: "Select all" }).click();
  await expect.element(page.getByRole("status").filter({ hasText: "111 of 111 selected" })).toBeVisible();
});

it("a dialog opened from a row returns the focus to the row's button", async () => {
  const { routes: ofGroups } = serveEntities("groups", [{ id: "g-1", name: "Viewers" }]);
  serveEntities("roles");
  gateway.answer(ofGroups.revisions, []);
  await openAdmin("/group-settings", "Groups");
  const button = page.getByRole("button", { name: "Actions: Viewers", exact: true });
  // The second time each dialog is already loaded and opens at once.
  for (let time = 1; time <= 2; time += 1) {
    for (const entry of ["Revisions", "Delete"]) {
      await chooseInRow("Viewers", entry);
      await expect.element(dialog()).toBeVisible();
      await press("Escape");
      await expect.element(dialog()).not.toBeInTheDocument();
      await expect.element(button).toHaveFocus();
    }
  }

  // An entity that fails to load can be retried.
  gateway.refuse(ofGroups.get, "internal", "The database rests.", { times: 1 });
  await chooseInRow("Viewers", "Edit");
  const failure = dialog().getByRole("alert");
  await expect.element(failure).toHaveTextContent("The group could not be loaded.");
  await expect.element(failure).toHaveTextContent("The database rests.");
  await failure.getByRole("button", { name: "Retry", exact: true }).click();
  await expect.element(saveButton()).toBeVisible();
  await press("Escape");
  await expect.element(dialog()).not.toBeInTheDocument();
  await expect.element(button).toHaveFocus();
});
