import { boards } from "@fairway/contract/boards";
import { savedSearches } from "@fairway/contract/saved-searches";
import { search } from "@fairway/contract/search";
import { beforeEach, describe, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectCount } from "#testing/assertions.ts";
import { alterDescription, storms } from "#testing/datasets-screen.ts";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { serveSavedSearches } from "#testing/saved-searches.ts";
import { act, fewRows, grid, katrina, searchLink, type AddressedSearch } from "#testing/results.ts";
import { setField } from "#testing/quick-fields.ts";

beforeEach(() => alterDescription(storms, (description) => ({ ...description, assists: [...description.assists, "GRID"] })));

const within: [number, number, number, number] = [-88.59375, 27.059125784374068, -87.1875, 28.30438068296277];
const chip = () => page.getByRole("group", { name: "Filters applied" }).getByText("Map cell 27.1–28.3° N, 88.6–87.2° W");
const question = page.getByRole("dialog", { name: "Keep the map cell?" });
const choose = (name: string) => question.getByRole("button", { name, exact: true }).click();

async function openCell(addressed: AddressedSearch = katrina): Promise<void> {
  await openScreen(searchLink({ ...addressed, within }));
  await expect.element(grid().getByRole("gridcell").first()).toBeVisible();
}

describe("a cell of the map", () => {
  it("narrows every call of the search, as a chip that is removed by itself", async () => {
    await openCell(fewRows);
    await expect.element(chip()).toBeVisible();
    expect(gateway.received(search.run).at(-1)?.body).toMatchObject({ within, filters: [{ name: "name" }, { name: "wind" }] });
    expect(gateway.received(search.aggregate).at(-1)?.body).toMatchObject({ within });
    await page.getByRole("button", { name: "Remove filter Wind at least", exact: true }).click();
    await expect.element(chip()).toBeVisible();
    expect(gateway.received(search.run).at(-1)?.body).toMatchObject({ within, filters: [{ name: "name" }] });
    await page.getByRole("button", { name: "Remove map cell", exact: true }).click();
    await expectCount(chip(), 0);
    expect(gateway.received(search.run).at(-1)?.body).not.toHaveProperty("within");
  });

  it("is asked about before a search is saved, and saved as an area", async () => {
    serveSavedSearches([]);
    await openCell();
    await act("Save Search Filters");
    await choose("As an area");
    const dialog = page.getByRole("dialog", { name: "Save Search Filters" });
    await setField(dialog.getByRole("textbox", { name: "Name" }), "Gulf");
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await expect.poll(() => gateway.received(savedSearches.create).length).toBe(1);
    const saved: unknown = JSON.parse(gateway.received(savedSearches.create)[0]?.body.query ?? "");
    expect(saved).toMatchObject({
      geospatial: {
        polygons: [
          "-88.59375 27.059125784374068, -87.1875 27.059125784374068, -87.1875 28.30438068296277, -88.59375 28.30438068296277, -88.59375 27.059125784374068",
        ],
      },
    });
    expect(saved).not.toHaveProperty("within");
  });

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
