import { expect } from "vitest";
import { page } from "vitest/browser";
import { textsOf } from "./assertions.ts";
import { press } from "./keyboard.ts";
import { clickQuickly, setField, untilFocusIsAround } from "./quick-fields.ts";

export const hint = () => page.getByText(/^To perform a search, you must/);
export const operatorsOf = (display: string) =>
  page.getByRole("combobox", { name: `Operator of ${display}`, exact: true }).getByRole("option");
export const addFilter = () => page.getByRole("main").getByRole("button", { name: "Add filter", exact: true });
export const filterDialog = () => page.getByRole("dialog", { name: /^(Add|Edit) filter$/ });

/** The fields offered by the open dialog. */
export async function offeredFields(): Promise<string[]> {
  const field = filterDialog().getByRole("combobox", { name: "Field" });
  await untilFocusIsAround(field);
  await clickQuickly(field);
  const options = page.getByRole("listbox").getByRole("option");
  await expect.element(options.first()).toBeVisible();
  const offered = textsOf(options);
  await press("Escape");
  return offered;
}

export async function chooseField(display: string): Promise<void> {
  const field = filterDialog().getByRole("combobox", { name: "Field" });
  await untilFocusIsAround(field);
  await clickQuickly(field);
  await clickQuickly(page.getByRole("listbox").getByRole("option", { name: display, exact: true }));
}

/** Adds a filter in the dialog. */
export async function add(display: string, operator: string, value: string): Promise<void> {
  await clickQuickly(addFilter());
  await chooseField(display);
  await setField(filterDialog().getByLabelText("Operator", { exact: true }), operator);
  await setField(filterDialog().getByLabelText("Value", { exact: true }), value);
  await clickQuickly(filterDialog().getByRole("button", { name: "Add filter", exact: true }));
  await expect.element(filterDialog()).not.toBeInTheDocument();
}
