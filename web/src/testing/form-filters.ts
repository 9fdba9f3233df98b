import { expect } from "vitest";
import { page } from "vitest/browser";
import { textsOf } from "./assertions.ts";
import { press } from "./keyboard.ts";

export const hint = () => page.getByText(/^To perform a search, you must/);
export const operatorsOf = (display: string) =>
  page.getByRole("combobox", { name: `Operator of ${display}`, exact: true }).getByRole("option");
export const addFilter = () => page.getByRole("main").getByRole("button", { name: "Add filter", exact: true });
export const filterDialog = () => page.getByRole("dialog", { name: /^(Add|Edit) filter$/ });

/** The fields offered by the open dialog. */
export async function offeredFields(): Promise<string[]> {
  const field = filterDialog().getByRole("combobox", { name: "Field" });
  await field.click();
  const options = page.getByRole("listbox").getByRole("option");
  await expect.element(options.first()).toBeVisible();
  const offered = textsOf(options);
  await press("Escape");
  return offered;
}

export async function chooseField(display: string): Promise<void> {
  await filterDialog().getByRole("combobox", { name: "Field" }).click();
  await page.getByRole("listbox").getByRole("option", { name: display, exact: true }).click();
}

/** Adds a filter in the dialog. */
export async function add(display: string, operator: string, value: string): Promise<void> {
  await addFilter().click();
  await chooseField(display);
  await filterDialog().getByLabelText("Operator", { exact: true }).selectOptions(operator);
  await filterDialog().getByLabelText("Value", { exact: true }).fill(value);
  await filterDialog().getByRole("button", { name: "Add filter", exact: true }).click();
  await expect.element(filterDialog()).not.toBeInTheDocument();
}
