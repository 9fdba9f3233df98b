import { search } from "@fairway/contract/search";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectRows, searchButton, serveSearchForms } from "#testing/datasets-screen.ts";
import { gateway } from "#testing/open-screen.tsx";
import { skipPauses } from "#testing/pauses.ts";
import { computed, filters, loadFast, status } from "#testing/saved-columns.ts";

beforeEach(() => {
  serveSearchForms();
  skipPauses(250);
});

it("detached from the saved search, the form keeps the columns that its filters name", async () => {
  await loadFast();
  await page.getByRole("button", { name: "Detach from Fast" }).click();
  await expect.element(status()).not.toBeInTheDocument();
  await expect.element(page.getByRole("textbox", { name: "twice" })).toHaveValue("200");
  await searchButton().click();
  await expectRows("storm-tracks");
  expect(gateway.received(search.run).at(-1)?.body).toMatchObject({ filters, computed });
});
