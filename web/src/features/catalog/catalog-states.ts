import { catalog } from "@fairway/contract/catalog";
import { descriptionSuggestions } from "@fairway/contract/description-suggestions";
import { descriptions } from "@fairway/contract/descriptions";
import { search } from "@fairway/contract/search";
import { page } from "vitest/browser";
import { demoDataset, demoDatasets } from "#testing/demo-datasets.ts";
import { gateway } from "#testing/open-screen.tsx";
import { openSuggestions, schemaAddress } from "#testing/opened-screens.ts";
import { button, type ScreenState, text, title, failing, loading } from "#testing/screen-state.ts";

const entries = () =>
  demoDatasets().map(({ description: { category, datasetId, description, mapSupport } }) => ({
    dataset: { datasetCategory: category.id, datasetId },
    description,
    communityDescription: "",
    containsLocationData: mapSupport !== null,
    supportsMapResults: mapSupport !== null,
  }));
const serve = () => {
  gateway.answer(catalog.entries, entries());
  gateway.answer(descriptionSuggestions.counts, []);
};

export const states: readonly ScreenState[] = [
  { name: "catalog", answers: serve, open: "/data-catalog", shows: text("storm-tracks"), phone: true },
  { name: "catalog-none", answers: () => gateway.answer(catalog.entries, []), open: "/data-catalog", shows: title("Data Catalog") },
  loading("catalog-loading", "/data-catalog", catalog.entries, title("Data Catalog"), serve),
  failing("catalog-failed", "/data-catalog", catalog.entries),
  { name: "schema", open: schemaAddress, shows: text("storm_id"), phone: true },
  {
    name: "schema-sample",
    answers: () => gateway.answer(search.sample, { results: demoDataset("storm-tracks").rows.slice(0, 6) }),
    open: schemaAddress,
    steps: [() => button("Sample rows").click()],
    shows: () => page.getByRole("region", { name: "Sample rows", exact: true }),
    phone: true,
  },
  { name: "schema-with-suggestions", open: openSuggestions, shows: () => button("Decline") },
  {
    name: "schema-edited",
    open: schemaAddress,
    roles: ["schema-edit"],
    steps: [() => button("Edit").click(), () => page.getByRole("menuitem", { name: "Private Descriptions" }).click()],
    shows: () => page.getByRole("main").getByRole("textbox").first(),
  },
  {
    name: "schema-unknown",
    answers: () => gateway.refuse(descriptions.schema, "not-found", "There is no such dataset."),
    open: schemaAddress,
    shows: () => page.getByRole("main"),
  },
  failing("schema-failed", schemaAddress, descriptions.schema),
  loading("schema-loading", schemaAddress, descriptions.schema, () => page.getByRole("main")),
  { name: "use-elsewhere", open: `${schemaAddress}/use`, shows: () => page.getByRole("heading", { level: 1 }), phone: true },
];
