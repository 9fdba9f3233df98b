import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectText, expectTexts } from "#testing/assertions.ts";
import { chooseInRow, dialog, openAdmin, openRowMenu, rowOf, saveButton, serveEntities } from "#testing/entities.ts";
import { press } from "#testing/keyboard.ts";
import { gateway } from "#testing/open-screen.tsx";

const field = (name: string) => dialog().getByRole("textbox", { name, exact: true });

it("[NOTICEADM-02][NOTICEADM-04][NOTICEADM-05][NOTICEADM-06][NOTICEADM-07][NOTICEADM-08] a notice requires icon, title and message, and may be limited to roles", async () => {
  serveEntities("roles", [{ name: "admin" }]);
  const { routes } = serveEntities("notices");
  await openAdmin("/notice-settings", "Information Notices");
  await page.getByRole("button", { name: "New", exact: true }).first().click();
  await expect.element(dialog().getByRole("heading", { name: "New notice" })).toBeVisible();
  await field("Title").fill("Maintenance");
  await field("Message").fill("Only for **admins**.");
  await expect.element(saveButton()).toBeEnabled();
  const topOf = (name: string) => dialog().getByLabelText(name).element().getBoundingClientRect().top;
  expect(topOf("Icon")).toBe(topOf("Severity"));
  for (const [name, text] of [
    ["Icon", "bullhorn"],
    ["Title", "Maintenance"],
    ["Message", "Only for **admins**."],
  ] as const) {
    await field(name).fill("  ");
    await expect.element(saveButton()).toBeDisabled();
    await expect.element(dialog().getByText(`Enter ${name === "Icon" ? "an" : "a"} ${name.toLowerCase()}.`)).toBeVisible();
    await field(name).fill(text);
  }
  await field("Start").fill("next week");
  await expect.element(dialog().getByText(/^Enter the start as a time/)).toBeVisible();
  await expect.element(saveButton()).toBeDisabled();
  await field("Start").fill("");
  await field("End").fill("12/31/2026");
  await dialog().getByRole("combobox", { name: "Roles" }).click();
  await page.getByRole("option", { name: "admin", exact: true }).click();
  await press("Escape");
  gateway.refuse(routes.create, "internal", "The disk is full.", { times: 1 });
  await saveButton().click();
  await expectText(dialog().getByRole("alert"), "Notice Save FailedThe disk is full.");
  await saveButton().click();
  await expect.element(dialog()).not.toBeInTheDocument();
  expect(gateway.received(routes.create).at(-1)?.body).toEqual({
    faIcon: "bullhorn",
    title: "Maintenance",
    message: "Only for **admins**.",
    severity: "info",
    roles: [{ roleName: "admin" }],
    startMs: null,
    // A day as the end counts up to its last second.
    endMs: new Date(2026, 11, 31, 23, 59, 59).getTime(),
  });
  await expect.element(rowOf("Maintenance")).toHaveTextContent("admin");
  await openRowMenu("Maintenance");
  await expectTexts(page.getByRole("menuitem"), ["Edit", "Copy", "Export", "Revisions", "Delete"]);
});

it("an edit keeps the id and times of a notice", async () => {
  serveEntities("roles");
  const times = { createdDateMs: 1_000, startMs: Date.UTC(2026, 0, 2, 15, 30), endMs: Date.UTC(2026, 6, 2, 15, 30) };
  const notice = { id: "n-1", title: "Maintenance", message: "Soon.", faIcon: "bullhorn", severity: "info", roles: [], ...times };
  const { routes } = serveEntities("notices", [notice]);
  await openAdmin("/notice-settings", "Information Notices");
  await chooseInRow("Maintenance", "Edit");
  await field("Title").fill("Maintenance tonight");
  await saveButton().click();
  await expect.element(dialog()).not.toBeInTheDocument();
  expect(gateway.received(routes.edit).at(-1)?.body).toEqual({ ...notice, title: "Maintenance tonight", version: 1 });
});
