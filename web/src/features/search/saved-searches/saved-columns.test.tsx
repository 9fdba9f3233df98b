import { columnValues } from "@fairway/contract/column-values";
import { search } from "@fairway/contract/search";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectRows, searchButton, serveSearchForms } from "#testing/datasets-screen.ts";
import { press, type } from "#testing/keyboard.ts";
import { gateway } from "#testing/open-screen.tsx";
import { skipPauses } from "#testing/pauses.ts";
import { computed, filters, loadFast, status } from "#testing/saved-columns.ts";

beforeEach(() => {
  serveSearchForms();
  skipPauses(250);
});

it("a loaded search keeps its computed columns and the filters on them, which every call of the form carries", async () => {
  await loadFast();
  await expect.element(status()).toBeVisible();
  await expect.element(status()).not.toHaveTextContent("Left out");
  await expect.element(page.getByRole("textbox", { name: "twice" })).toHaveValue("200");
  await expect.poll(() => gateway.received(search.rowCount).at(-1)?.body).toEqual({ filters, computed });
  await type("status = hur", page.getByRole("combobox", { name: "Type a filter", exact: true }));
  await expect.poll(() => gateway.received(columnValues.suggest).at(-1)?.body).toEqual({ contains: "hur", search: { filters, computed } });
  await page.getByRole("combobox", { name: "Type a filter", exact: true }).fill("");
  await press("Escape");
  await searchButton().click();
  await expectRows("storm-tracks");
  expect(gateway.received(search.run).at(-1)?.body).toMatchObject({ filters, computed });
});
