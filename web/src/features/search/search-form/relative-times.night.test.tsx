import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectText } from "#testing/assertions.ts";
import { openForm, storms, timeDialog, timeRange, serveSearchForms } from "#testing/datasets-screen.ts";
import { press, type } from "#testing/keyboard.ts";

beforeEach(serveSearchForms);
const lastField = () => timeDialog().getByRole("textbox", { name: "Last", exact: true });
const unitField = () => timeDialog().getByRole("combobox", { name: "Unit", exact: true });
const done = () => timeDialog().getByRole("button", { name: "Done", exact: true });

it("sets a span by keyboard, without axe violations in both themes, and on a phone without horizontal scrolling", async () => {
  await openForm(storms);
  await press("Enter", timeRange());
  await expect.element(timeDialog().getByRole("textbox", { name: "Start" })).toHaveFocus();
  await press("Tab");
  await expect.element(timeDialog().getByRole("textbox", { name: "End" })).toHaveFocus();
  await press("Tab");
  await expect.element(lastField()).toHaveFocus();
  await type("0");
  await press("Tab");
  await expect.element(unitField()).toHaveFocus();
  await expect.element(timeDialog().getByText("Enter a whole number from 1 to 99,999.")).toBeVisible();
  await expectAccessible({ within: ["[role=dialog]"] });
  await press("Shift+Tab");
  await type("12");
  await press("Enter");
  await expect.element(timeDialog()).not.toBeInTheDocument();
  await expectText(timeRange(), "Time range: Last 12 hours");
  await expect.element(timeRange()).toHaveFocus();
  await expectAccessible({ within: ["form"] });

  await page.viewport(390, 844);
  await timeRange().click();
  await lastField().fill("36");
  expect(document.documentElement.scrollWidth - document.documentElement.clientWidth).toBe(0);
  await done().click();
  await expectText(timeRange(), "Time range: Last 36 hours");
});
