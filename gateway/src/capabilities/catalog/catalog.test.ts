import type { CatalogEntry } from "@fairway/contract/catalog";
import { expect, it } from "vitest";
import { catalogApp } from "#testing/catalog-app.ts";
import { sharedApp } from "#testing/shared-app.ts";

const shared = sharedApp(catalogApp, ["dataset_descriptions"]);

const entries = async (token: string, query = "") =>
  (await shared().gateway.call<CatalogEntry[]>("GET", `/datasets/schema${query}`, { token })).body;
const names = async (token: string, query = "") => (await entries(token, query)).map(({ dataset }) => dataset.datasetId);

it("[CATALOG-08][CATALOG-12] lists the datasets that the user may reach, by name, with both shared descriptions", async () => {
  const { gateway, ada, grace } = shared();
  const description = { description: "What we spend.", columnDescriptions: [] };
  await gateway.call("PUT", "/datasets/money/budget/description/community", { token: ada, body: description });
  expect(await names(ada)).toEqual(["airports", "budget", "secrets", "storms"]);
  expect(await names(grace)).toEqual(["airports", "budget", "storms"]);
  expect((await entries(grace))[1]).toEqual({
    dataset: { datasetCategory: "money", datasetId: "budget" },
    description: "Rows to test with.",
    communityDescription: "What we spend.",
    containsLocationData: false,
    supportsMapResults: false,
  });
  expect((await gateway.call("GET", "/datasets/schema")).status).toBe(401);
});

it("[CATALOG-09] narrows by part of a column's name, in upper or lower case, without revealing datasets of others", async () => {
  const { ada, grace } = shared();
  expect(await names(grace, "?columnName=wind_s")).toEqual(["storms"]);
  expect(await names(ada, "?columnName=RUNWAY")).toEqual(["airports", "secrets"]);
  expect(await names(grace, "?columnName=RUNWAY")).toEqual(["airports"]);
  expect(await names(ada, "?columnName=%25")).toEqual([]);
});

it("[CATALOG-10][CATALOG-11] narrows by location data and by map support", async () => {
  const { gateway, grace } = shared();
  expect(await names(grace, "?containsLocationData=true")).toEqual(["airports", "storms"]);
  expect(await names(grace, "?containsLocationData=false")).toEqual(["budget"]);
  expect(await names(grace, "?supportsMapResults=true")).toEqual(["storms"]);
  expect(await names(grace, "?supportsMapResults=false")).toEqual(["airports", "budget"]);
  expect(await names(grace, "?supportsMapResults=false&containsLocationData=true&columnName=run")).toEqual(["airports"]);
  expect((await gateway.call("GET", "/datasets/schema?containsLocationData=maybe", { token: grace })).status).toBe(400);
});
