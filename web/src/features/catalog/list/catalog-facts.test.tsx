import { catalog } from "@fairway/contract/catalog";
import { datasetFactRoutes } from "@fairway/contract/dataset-facts";
import { favoriteDatasets } from "@fairway/contract/favorites";
import { expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectAddress, expectTexts } from "#testing/assertions.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { known, card } from "#testing/catalog-facts.ts";
import { entry } from "#testing/catalogs.ts";

const entries = ["flights", "storms", "sun-times"].map((datasetId) => entry(datasetId));

it("cards show rows, time span, columns, freshness, owner or contact, tags and use, and lead to schema, search and API example", async () => {
  gateway.answer(catalog.entries, entries);
  gateway.answer(datasetFactRoutes.facts, known);
  const favorites = [entry("flights").dataset];
  gateway.answer(favoriteDatasets.list, () => favorites);
  gateway.answer(favoriteDatasets.add, ({ body }) => {
    favorites.push(body);
    return body;
  });
  await openScreen("/data-catalog");
  const factsOf = (name: string) => page.getByLabelText(`Facts about ${name}`).getByRole("definition");
  await expectTexts(factsOf("storms"), ["11,840", "06/27/1975 – 11/18/2020", "17", "12 days ago", "Storm Desk", "1,204 in 30 days"]);
  await expectTexts(factsOf("flights"), ["3,000,000", "5", "3 days overdue", "flights.example.org"]);
  await expectTexts(factsOf("sun-times"), ["On request", "8", "On request"]);
  await expectTexts(card("storms").getByRole("list", { name: "Tags" }).getByRole("listitem"), ["storms", "weather"]);
  await expectAccessible();

  const star = page.getByRole("button", { name: "Favorite storms" });
  await expect.element(page.getByRole("button", { name: "Favorite flights" })).toHaveAttribute("aria-pressed", "true");
  await star.click();
  await expect.element(star).toHaveAttribute("aria-pressed", "true");
  expect(gateway.received(favoriteDatasets.add).map(({ body }) => body)).toEqual([entry("storms").dataset]);

  const more = page.getByRole("button", { name: "More about storms" });
  (more.element() as HTMLElement).focus();
  await userEvent.keyboard("{Enter}");
  await expectTexts(page.getByRole("menuitem"), ["Open Schema", "Search This Dataset", "API Example", "Use It Elsewhere", "Copy Link"]);
  await expect
    .element(page.getByRole("menuitem", { name: "Use It Elsewhere" }))
    .toHaveAttribute("href", expect.stringMatching(/^\/data-catalog\/.+\/use$/));
  const copy = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  await page.getByRole("menuitem", { name: "Copy Link" }).click();
  expect(copy.mock.calls).toEqual([[`${location.origin}/data-catalog/Tests/storms`]]);
  copy.mockRestore();
  await more.click();
  await page.getByRole("menuitem", { name: "API Example" }).click();
  await expectAddress("/data-catalog/Tests/storms?dialog=api");
});
