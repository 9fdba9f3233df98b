import { search } from "@fairway/contract/search";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { axeViolations } from "#testing/accessibility.ts";
import { Refused } from "#testing/contract-gateway.ts";
import { groupButton, openGroups } from "#testing/dataset-groups.ts";
import { airports, flights, formOf, searchButton } from "#testing/datasets-screen.ts";
import { demoDataset, searchRows, serveDatasets } from "#testing/demo-datasets.ts";
import { gateway } from "#testing/open-screen.tsx";

beforeEach(() => serveDatasets(gateway));

const travel = { name: "Travel", datasets: [airports, flights] };

it("cancels all searches of a group, counts failures, and reruns them; axe finds no violations in form and results", async () => {
  await openGroups([travel]);
  await groupButton("Travel").click();
  await expect.element(formOf("Travel")).toBeVisible();
  expect(await axeViolations()).toEqual([]);
  await page.getByRole("textbox", { name: "Airport code" }).fill("DEN");
  await page.getByRole("textbox", { name: "Origin" }).fill("DEN");
  const release = gateway.hold(search.run, ({ params }) => params.datasetId === "flights");
  gateway.answer(
    search.run,
    ({ params, body }) => {
      if (params.datasetId === "airports") throw new Refused("internal", "The engine stumbled.");
      return { results: searchRows(demoDataset(params.datasetId), body) };
    },
    { times: 1 },
  );
  await searchButton().click();
  const searchOf = (name: string) => page.getByRole("list", { name: "Searches of Travel" }).getByRole("listitem", { name, exact: true });
  await expect.element(page.getByText("1 of 2 searches done", { exact: true })).toBeVisible();
  await expect.element(page.getByText("1 failed", { exact: true })).toBeVisible();
  await expect.element(searchOf("airports").getByRole("alert")).toHaveTextContent("The engine stumbled.");
  await page.getByRole("button", { name: "Cancel all", exact: true }).click();
  await expect.element(searchOf("flights").getByText("Search canceled", { exact: true })).toBeVisible();
  await expect.element(page.getByText("2 searches done", { exact: true })).toBeVisible();
  release();
  await page.getByRole("button", { name: "Rerun all", exact: true }).click();
  await expect.element(searchOf("airports").getByText("1 – 1 of 1 result", { exact: true })).toBeVisible();
  await expect.element(searchOf("flights").getByText(/^1 – 25 of [\d,]+ results$/)).toBeVisible();
  await expect.element(page.getByText("1 failed", { exact: true })).not.toBeInTheDocument();
  expect(await axeViolations()).toEqual([]);
});

it("searches and edits a group on a phone without horizontal scrolling", async () => {
  await page.viewport(390, 844);
  const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
  await openGroups([travel]);
  expect(overflow()).toBe(0);
  await groupButton("Travel").click();
  await expect.element(formOf("Travel")).toBeVisible();
  expect(overflow()).toBe(0);
  await page.getByRole("textbox", { name: "Airport code" }).fill("DEN");
  await page.getByRole("textbox", { name: "Origin" }).fill("DEN");
  await searchButton().click();
  await expect.element(page.getByText("2 searches done", { exact: true })).toBeVisible();
  expect(overflow()).toBe(0);
  await page.getByRole("button", { name: "Dataset group: Travel" }).click();
  await page.getByRole("button", { name: "Edit Travel" }).click();
  await expect.element(page.getByRole("dialog", { name: "Edit Dataset Group" })).toBeVisible();
  expect(overflow()).toBe(0);
});
