import { mapResults } from "@fairway/contract/map-results";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { otherStorm, rows, storm, view } from "#testing/colored-paths.ts";
import { openMap, prepareAddressedMaps, serveStorms } from "#testing/maps.ts";
import { gateway } from "#testing/open-screen.tsx";
import { buildAccess, ownRegion, serveWithRules } from "#testing/reader-parts.ts";

it("the legend says that the map shows a part of the rows, and marks the coarse column of its colors", async () => {
  prepareAddressedMaps();
  serveWithRules("storm-tracks", buildAccess({ notes: [ownRegion], columns: "some", coarse: [{ name: "wind", form: { step: 10 } }] }));
  serveStorms([...rows.slice(-1), { ...otherStorm, time: storm["time"] ?? null }]);
  gateway.answer(mapResults.tracks, { results: rows });
  await openMap({ v: view, c: "wind" });
  const legend = page.getByRole("group", { name: "Colors" });
  await expect.element(legend).toHaveTextContent(/wind \(kt\), along the path/);
  await expect
    .element(legend.getByRole("button", { name: "Coarse values", exact: true }))
    .toHaveAccessibleDescription("Rounded to steps of 10. Filters compare these values, not the exact ones.");
  await expect.element(legend.getByRole("button", { name: "Part of the rows", exact: true })).toHaveAccessibleDescription(ownRegion);
});
