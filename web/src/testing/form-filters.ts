import { expect } from "vitest";
import { page } from "vitest/browser";

export const addFilter = () => page.getByRole("main").getByRole("button", { name: "Add filter", exact: true });
export const filterDialog = () => page.getByRole("dialog", { name: /^(Add|Edit) filter$/ });

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
