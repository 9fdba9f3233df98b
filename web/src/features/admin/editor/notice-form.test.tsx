import { describe, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectText, expectTexts } from "#testing/assertions.ts";
import { openOnce } from "#testing/open-once.tsx";
import { dialog, openAdmin, openRowMenu, rowOf, saveButton, serveEntities } from "#testing/entities.ts";
import { press } from "#testing/keyboard.ts";
import { gateway } from "#testing/open-screen.tsx";

const field = (name: string) => dialog().getByRole("textbox", { name, exact: true });

/** Opens the form of a new notice that lacks nothing. */
async function openNew(): Promise<ReturnType<typeof serveEntities>> {
  serveEntities("roles", [{ name: "admin" }]);
  const served = serveEntities("notices");
  await openAdmin("/notice-settings", "Information Notices");
  await page.getByRole("button", { name: "New", exact: true }).first().click();
  await expect.element(dialog().getByRole("heading", { name: "New notice" })).toBeVisible();
  await field("Title").fill("Maintenance");
  await field("Message").fill("Only for **admins**.");
  return served;
}

describe("a new notice", () => {
  openOnce(async () => void (await openNew()));

  for (const [requirement, name, text] of [
    ["[NOTICEADM-04]", "Icon", "bullhorn"],
    ["[NOTICEADM-05]", "Title", "Maintenance"],
    ["[NOTICEADM-06]", "Message", "Only for **admins**."],
  ] as const) {
    it(`${requirement} needs its ${name.toLowerCase()}`, async () => {
      await expect.element(saveButton()).toBeEnabled();
      await field(name).fill("  ");
      await expect.element(saveButton()).toBeDisabled();
      await expect.element(dialog().getByText(`Enter ${name === "Icon" ? "an" : "a"} ${name.toLowerCase()}.`)).toBeVisible();
      await field(name).fill(text);
      await expect.element(saveButton()).toBeEnabled();
    });
  }

  it("takes only a time as its start, and has icon and severity in one line", async () => {
    await field("Start").fill("next week");
    await expect.element(dialog().getByText(/^Enter the start as a time/)).toBeVisible();
    await expect.element(saveButton()).toBeDisabled();
    await field("Start").fill("");
    const topOf = (name: string) => dialog().getByLabelText(name).element().getBoundingClientRect().top;
    expect(topOf("Icon")).toBe(topOf("Severity"));
  });
});

it("[NOTICEADM-07][NOTICEADM-08] a notice may be limited to roles, and a failed save shows why", async () => {
  const { routes } = await openNew();
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
});

it("[NOTICEADM-02] a notice cannot be disabled, and an edit keeps its id and times", async () => {
  serveEntities("roles");
  const times = { createdDateMs: 1_000, startMs: Date.UTC(2026, 0, 2, 15, 30), endMs: Date.UTC(2026, 6, 2, 15, 30) };
  const notice = { id: "n-1", title: "Maintenance", message: "Soon.", faIcon: "bullhorn", severity: "info", roles: [], ...times };
  const { routes } = serveEntities("notices", [notice]);
  await openAdmin("/notice-settings", "Information Notices");
  await openRowMenu("Maintenance");
  await expectTexts(page.getByRole("menuitem"), ["Edit", "Copy", "Export", "Revisions", "Delete"]);
  await page.getByRole("menuitem", { name: "Edit", exact: true }).click();
  await field("Title").fill("Maintenance tonight");
  await saveButton().click();
  await expect.element(dialog()).not.toBeInTheDocument();
  expect(gateway.received(routes.edit).at(-1)?.body).toEqual({ ...notice, title: "Maintenance tonight", version: 1 });
});
