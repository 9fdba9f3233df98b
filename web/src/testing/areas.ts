import { expect } from "vitest";
import { page } from "vitest/browser";

export const areaButton = () => page.getByRole("button", { name: /^Area:/ });
export const dialog = () => page.getByRole("dialog", { name: "Select Area", exact: true });
export const map = () => page.getByRole("application", { name: "Map of the world" });
export const coordinates = () => dialog().getByRole("textbox", { name: "Coordinates" });

export async function openArea(): Promise<void> {
  await areaButton().click();
  await expect.element(dialog()).toBeVisible();
  await expect.element(map()).toHaveAttribute("data-ready", "true");
}

export async function addShape(text: string): Promise<void> {
  await coordinates().fill(text);
  await dialog().getByRole("button", { name: "Add shape" }).click();
}

/** Clicks the map at positions given as fractions of its width and height. */
export async function clickMap(...positions: readonly (readonly [number, number])[]): Promise<void> {
  const { width, height } = map().element().getBoundingClientRect();
  for (const [x, y] of positions) await map().click({ position: { x: width * x, y: height * y } });
}
