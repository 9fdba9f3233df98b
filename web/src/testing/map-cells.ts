import { expect } from "vitest";
import { page } from "vitest/browser";
import { openScreen } from "#testing/open-screen.tsx";
import { type AddressedSearch, grid, katrina, searchLink } from "#testing/results.ts";

export const within: [number, number, number, number] = [-88.59375, 27.059125784374068, -87.1875, 28.30438068296277];
export const chip = () => page.getByRole("group", { name: "Filters applied" }).getByText("Map cell 27.1–28.3° N, 88.6–87.2° W");
export const question = page.getByRole("dialog", { name: "Keep the map cell?" });
export const choose = (name: string) => question.getByRole("button", { name, exact: true }).click();

export async function openCell(addressed: AddressedSearch = katrina): Promise<void> {
  await openScreen(searchLink({ ...addressed, within }));
  await expect.element(grid().getByRole("gridcell").first()).toBeVisible();
}
