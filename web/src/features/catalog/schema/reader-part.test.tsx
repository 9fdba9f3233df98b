import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectCount } from "#testing/assertions.ts";
import { openScreen } from "#testing/open-screen.tsx";
import { buildAccess, ownRegion, serveWithRules } from "#testing/reader-parts.ts";

it("the catalog says that a reader sees a part of the rows and columns, and marks those that are coarse or computed from such", async () => {
  const coarse = [{ name: "latitude", form: { step: 0.5 } }];
  const access = buildAccess({ notes: [ownRegion], columns: "some", hasWithheldColumns: true, coarse, madeOfCoarse: ["wind"] });
  serveWithRules("storm-tracks", access);
  await openScreen("/data-catalog/Tropical%20weather/storm-tracks");
  await expect.element(page.getByRole("button", { name: "Part of the rows", exact: true })).toHaveAccessibleDescription(ownRegion);
  await expect.element(page.getByText("Some columns are not shown to you.")).toBeVisible();
  const rowOf = (name: string) => page.getByRole("row", { name: new RegExp(`\\b${name}\\b`) }).first();
  const markOf = (name: string) => rowOf(name).getByRole("button", { name: "Coarse values", exact: true });
  await expect
    .element(markOf("latitude"))
    .toHaveAccessibleDescription("Rounded to steps of 0.5. Filters compare these values, not the exact ones.");
  await expect
    .element(markOf("wind"))
    .toHaveAccessibleDescription("Computed from coarse values. Filters compare these values, not the exact ones.");
  await expectCount(markOf("longitude"), 0);
  const heightOf = (name: string) => rowOf(name).element().getBoundingClientRect().height;
  expect(heightOf("latitude")).toBe(heightOf("longitude"));
  await expectAccessible();
});
