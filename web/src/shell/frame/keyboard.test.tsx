import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAddress, expectCount } from "#testing/assertions.ts";
import { press, type } from "#testing/keyboard.ts";
import { openScreen } from "#testing/open-screen.tsx";
import { expectDatasets } from "#testing/results.ts";
import { openPalette } from "#testing/keyboard-screen.ts";

it("Ctrl+K finds a dataset by a few letters and opens it with Enter", async () => {
  await openScreen("/search");
  await expectDatasets();
  await openPalette();
  await type("quak");
  const options = page.getByRole("listbox", { name: "Results" }).getByRole("option");
  await expectCount(options, 1);
  await expect.element(options).toHaveTextContent("earthquakes");
  await press("Enter");
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
  await expectAddress(/\/search\?category=Natural(\+|%20)hazards&dataset=earthquakes/);
  await expect.element(page.getByRole("heading", { level: 2, name: "earthquakes" })).toBeVisible();
});
