import { savedSearches } from "@fairway/contract/saved-searches";
import { search } from "@fairway/contract/search";
import { beforeEach, describe, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectCount } from "#testing/assertions.ts";
import { alterDescription, storms } from "#testing/datasets-screen.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { serveSavedSearches } from "#testing/saved-searches.ts";
import { act, fewRows, katrina, searchLink } from "#testing/results.ts";
import { setField } from "#testing/quick-fields.ts";
import { chip, choose, openCell, within } from "#testing/map-cells.ts";

beforeEach(() => alterDescription(storms, (description) => ({ ...description, assists: [...description.assists, "GRID"] })));

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

  it("stays with a search that needs another filter first", async () => {
    await openScreen(searchLink({ ...katrina, filters: [], within }));
    await expect.element(page.getByText("Map cell 27.1–28.3° N, 88.6–87.2° W")).toBeVisible();
    await setField(page.getByLabelText("Storm name", { exact: true }), "Katrina");
    await page.getByRole("form", { name: "Search storm-tracks" }).getByRole("button", { name: "Search", exact: true }).click();
    await expect.element(chip()).toBeVisible();
    expect(gateway.received(search.run).at(-1)?.body).toMatchObject({ within });
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
});
