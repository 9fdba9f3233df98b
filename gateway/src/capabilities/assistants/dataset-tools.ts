import { catalog, type CatalogEntry, type CatalogHit } from "@fairway/contract/catalog";
import { datasetFactRoutes, type datasetFacts } from "@fairway/contract/dataset-facts";
import { type DatasetDescription, datasetKey, datasets } from "@fairway/contract/datasets";
import { descriptions } from "@fairway/contract/descriptions";
import { search } from "@fairway/contract/search";
import { z } from "zod";
import { columnFacts, datasetInput, datasetParamsOf, describeDataset, partOf, readableRows } from "./search-input.ts";
import { tool } from "./tool.ts";

const isoOrNull = (epochMs: number | null): string | null => (epochMs === null ? null : new Date(epochMs).toISOString());

type Facts = z.output<typeof datasetFacts>;

const factsOf = (facts: Facts | undefined) =>
  facts && {
    rows: facts.rows,
    first_time: isoOrNull(facts.oldestMs),
    last_time: isoOrNull(facts.newestMs),
    owner: facts.owner,
    license: facts.license?.text ?? null,
    tags: facts.tags,
  };

const listedDataset = (
  { dataset, description, communityDescription, containsLocationData, missing }: CatalogEntry & Pick<CatalogHit, "missing">,
  facts: Facts | undefined,
) => ({
  category: dataset.datasetCategory,
  dataset: dataset.datasetId,
  description: communityDescription || description,
  has_location: containsLocationData,
  ...(missing && { words_without_match: missing }),
  ...factsOf(facts),
});

const listDatasets = tool({
  name: "list_datasets",
  title: "List and search datasets",
  description:
    "Lists the datasets that the API key can read, with their descriptions, number of rows and time span. With a text, only those whose name, columns or descriptions match, best match first. Call this first.",
  input: z.strictObject({
    text: z
      .string()
      .max(200)
      .default("")
      .describe(
        "Words to look for, such as 'hurricane wind'. If no dataset has all of them, those with the most come with words_without_match.",
      ),
    limit: z.int().min(1).max(100).default(25),
    offset: z.int().min(0).default(0),
  }),
  async answer({ text, limit, offset }, { calls, caller }) {
    const [facts, page] = await Promise.all([
      calls.call(datasetFactRoutes.facts, {}, caller),
      text.trim() === "" ? undefined : calls.call(catalog.find, { query: { text, limit, offset } }, caller),
    ]);
    const all = page === undefined ? await calls.call(catalog.entries, {}, caller) : page.hits;
    const total = page?.total ?? all.length;
    const byKey = new Map(facts.map((entry) => [datasetKey(entry.dataset), entry]));
    const listed = page === undefined ? all.slice(offset, offset + limit) : all;
    return {
      total,
      offset,
      next_offset: offset + listed.length < total ? offset + listed.length : null,
      datasets: listed.map((entry) => listedDataset(entry, byKey.get(datasetKey(entry.dataset)))),
    };
  },
});

const describe = tool({
  name: "describe_dataset",
  title: "Describe a dataset",
  description:
    "The columns of a dataset with type, unit and description, its span of time, which filters it takes and which it requires. Call this before searching a dataset for the first time.",
  input: z.strictObject(datasetInput),
  async answer(input, { calls, caller, origin }) {
    const params = datasetParamsOf(input);
    const [description, schema, facts] = await Promise.all([
      calls.call(datasets.describe, { params }, caller),
      calls.call(descriptions.schema, { params }, caller),
      calls.call(datasetFactRoutes.facts, { query: { datasetCategory: input.category, datasetId: input.dataset } }, caller),
    ]);
    const { filterSupport, timeExtent, temporalField, mapSupport, features, moreOperators } = description;
    const texts = new Map(schema.columns.map((column) => [column.id, column.communityDescription || column.description]));
    return {
      category: input.category,
      dataset: input.dataset,
      description: schema.communityDescription || description.description,
      ...partOf(description),
      ...factsOf(facts[0]),
      time_column: temporalField,
      ...(timeExtent && { first_time: isoOrNull(timeExtent.startMs), last_time: isoOrNull(timeExtent.endMs) }),
      item_column: mapSupport?.groupItemField ?? null,
      columns: columnFacts(description, [], texts),
      takes: {
        time_range: filterSupport.supportsTimeRange && temporalField !== null,
        area: filterSupport.supportsGeospatial,
        offset: features.includes("PAGINATION"),
        filters: filterSupport.supportsAdvancedFiltering
          ? "any column"
          : [...filterSupport.staticFilters, ...filterSupport.additionalFilters].map(({ name }) => name),
        further_operators: moreOperators.filter((operator) => operator !== "any"),
        any_of: moreOperators.includes("any"),
        required_filters: filterSupport.staticFilters.filter(({ required }) => required).map(({ name }) => name),
        required_one_of: filterSupport.requiredOrFields === null ? [] : requiredOneOf(filterSupport.requiredOrFields, description),
      },
      portal_link: `${origin}/data-catalog/${encodeURIComponent(input.category)}/${encodeURIComponent(input.dataset)}`,
    };
  },
});

/** A time range or an area is as good as one of the columns. */
const requiredOneOf = (columns: readonly string[], { filterSupport, temporalField }: DatasetDescription): string[] => [
  ...(filterSupport.supportsTimeRange && temporalField !== null ? ["time_range"] : []),
  ...(filterSupport.supportsGeospatial ? ["area"] : []),
  ...columns,
];

const sample = tool({
  name: "sample_rows",
  title: "Sample a dataset",
  description: "A few rows of a dataset, quickly, to see what its values look like. They are in no particular order.",
  input: z.strictObject({ ...datasetInput, limit: z.int().min(1).max(25).default(5) }),
  async answer(input, context) {
    const { calls, caller } = context;
    const description = await describeDataset(input, context);
    const { results } = await calls.call(search.sample, { params: datasetParamsOf(input) }, caller);
    return { ...partOf(description), columns: columnFacts(description), rows: readableRows(results.slice(0, input.limit), description) };
  },
});

export const datasetTools = [listDatasets, describe, sample];
