import { mapResults } from "@fairway/contract/map-results";
import { search } from "@fairway/contract/search";
import { startPage } from "@fairway/contract/start-page";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectCount } from "#testing/assertions.ts";
import { focus, press } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { alterRows, expectDatasets } from "#testing/results.ts";
import { step, take } from "#testing/tours.ts";

beforeEach(() => {
  alterRows((rows) => rows.slice(0, 2));
  // The picture of the question.
  gateway.answer(mapResults.tracks, { results: [] });
});

it("ends at once with Escape, and starts from the shortcuts, which show above it", async () => {
  gateway.refuse(startPage.read, "internal", "Broken.");
  await openScreen("/search");
  await expectDatasets();
  await press("Enter", take);
  await expect.element(step("Choose a dataset")).toHaveFocus();
  await press("Escape");
  await expectCount(page.getByRole("dialog"), 0);
  await expect.element(take).toHaveFocus();

  const hide = page.getByRole("button", { name: "Hide panel" });
  await focus(hide);
  await press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).getByRole("button", { name: "Take the tour" }).click();
  await expect.element(step("Choose a dataset")).toHaveFocus();
  await press("?");
  await expect.element(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await press("Escape");
  await expect.element(page.getByRole("dialog", { name: "Keyboard shortcuts" })).not.toBeInTheDocument();
  await expect.element(step("Choose a dataset")).toBeVisible();
  // Without a question, a sample of the first dataset that has one.
  await step("Choose a dataset").getByRole("button", { name: "Next" }).click();
  await step("Say what to look for").getByRole("button", { name: "Next" }).click();
  await expect.element(step("Read the rows")).toBeVisible();
  await expect.poll(() => gateway.received(search.sample).length).toBe(1);
});
