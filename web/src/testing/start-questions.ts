import { type Locator, page } from "vitest/browser";

export const addressed = (parts: object) => `1.${btoa(JSON.stringify(parts)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;

export const storms = { datasetCategory: "Tropical weather", datasetId: "storm-tracks" };

export const katrina = addressed({ c: "Tropical weather", d: "storm-tracks", f: [["name", "=", "Katrina"]] });

export const question = (name: RegExp) => page.getByRole("region", { name: "Questions to try" }).getByRole("button", { name });

export const lastPath = (button: Locator) => () => button.css("div[aria-hidden] path").elements().at(-1)?.getAttribute("d");
