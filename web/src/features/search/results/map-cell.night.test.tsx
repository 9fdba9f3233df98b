import { boards } from "@fairway/contract/boards";
import { savedSearches } from "@fairway/contract/saved-searches";
import { search } from "@fairway/contract/search";
import { beforeEach, describe, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectCount } from "#testing/assertions.ts";
import { alterDescription, storms } from "#testing/datasets-screen.ts";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { gateway } from "#testing/open-screen.tsx";
import { serveSavedSearches } from "#testing/saved-searches.ts";
import { act, katrina } from "#testing/results.ts";
import { setField } from "#testing/quick-fields.ts";
import { chip, choose, openCell, question } from "#testing/map-cells.ts";

beforeEach(() => alterDescription(storms, (description) => ({ ...description, assists: [...description.assists, "GRID"] })));

describe("a cell of the map", () => {
  it("is left out of a saved search only when asked to, and nothing is saved after Cancel", async () => {
    serveSavedSearches([]);
    await openCell({ ...katrina, area: ["-100 10, -60 10, -60 40, -100 40, -100 10"] });
    await act("Save Search Filters");
    await expect
      .element(question)
      .toHaveTextContent("As an area it replaces the area of the search, so that rows of the cell outside of it are found too.");
    await choose("Cancel");
    await expectCount(page.getByRole("dialog"), 0);
    await act("Save Search Filters");
    await choose("Without the cell");
    const dialog = page.getByRole("dialog", { name: "Save Search Filters" });
    await setField(dialog.getByRole("textbox", { name: "Name" }), "Gulf");
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await expect.poll(() => gateway.received(savedSearches.create).length).toBe(1);
    const saved: unknown = JSON.parse(gateway.received(savedSearches.create)[0]?.body.query ?? "");
    expect(saved).toMatchObject({ geospatial: { polygons: ["-100 10, -60 10, -60 40, -100 40, -100 10"] } });
    expect(saved).not.toHaveProperty("within");
    // The search itself stays as it is.
    await expect.element(chip()).toBeVisible();
  });

  it("is asked about before the search becomes a panel of a board", async () => {
    gateway.answer(boards.list, []);
    await openCell();
    await act("Add to Board");
    await choose("Without the cell");
    await expect.element(page.getByRole("dialog", { name: "Add to Board" })).toBeVisible();
    await expect
      .element(page.getByRole("dialog", { name: "Add to Board" }).getByRole("textbox", { name: "Title" }))
      .toHaveValue("storm-tracks: name = Katrina");
  });

  it("is dropped from the address of a dataset that cannot be narrowed to a view", async () => {
    serveDatasets(gateway);
    await openCell();
    await expectCount(chip(), 0);
    expect(gateway.received(search.run).at(-1)?.body).not.toHaveProperty("within");
  });
});
