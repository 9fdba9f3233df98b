import { datasetProfiles } from "@fairway/contract/dataset-profiles";
import type { DatasetSchema } from "@fairway/contract/datasets";
import { descriptions } from "@fairway/contract/descriptions";
import { page } from "vitest/browser";
import { Refused, Versioned } from "./contract-gateway.ts";
import { serveDatasets } from "./demo-datasets.ts";
import { gateway } from "./open-screen.tsx";

export const address = "/data-catalog/Tropical%20weather/storm-tracks";

export const editor = { roles: ["schema-edit"] };

export const column = (name: string, type: number, more: object = {}) => ({
  id: name,
  name,
  type,
  description: `The ${name}.`,
  communityDescription: "",
  userDescription: "",
  ...more,
});

const original: DatasetSchema = {
  dataset: { datasetCategory: "Tropical weather", datasetId: "storm-tracks" },
  description: "Tracks of **storms**.",
  communityDescription: "Count storms, not rows.",
  userDescription: "For chapter 3.",
  containsLocationData: true,
  supportsMapResults: true,
  columns: [
    column("name", 0, { communityDescription: "Names return.", userDescription: "Mine." }),
    column("major", 1),
    column("season", 2),
    column("wind", 3, { communityDescription: "In knots.", unit: "kt" }),
    column("seconds", 4, { unit: "s" }),
    column("millis", 5),
  ],
};

/** The stored schema, with its version. */
export const kept = {} as { stored: DatasetSchema; version: number };

export function serveSchema(): void {
  serveDatasets(gateway);
  gateway.answer(datasetProfiles.read, { state: "unsupported", profile: null, failure: null });
  kept.stored = structuredClone(original);
  kept.version = 1;
  gateway.answer(descriptions.schema, () => new Versioned(kept.stored, `"c${kept.version}.u${kept.version}.x"`));
  for (const route of [descriptions.saveCommunity, descriptions.saveUser]) {
    const layer = route === descriptions.saveCommunity ? "communityDescription" : "userDescription";
    gateway.answer(route, ({ body, ifMatch }) => {
      if (ifMatch !== `"c${kept.version}.u${kept.version}.x"`) throw new Refused("stale-version", "These descriptions have changed.");
      const texts = new Map(body.columnDescriptions.map(({ columnName, description }) => [columnName, description]));
      kept.stored = {
        ...kept.stored,
        [layer]: body.description,
        columns: kept.stored.columns.map((one) => ({ ...one, [layer]: texts.get(one.name) ?? one[layer] })),
      };
      kept.version += 1;
      return { description: body.description, columns: kept.stored.columns.map((one) => ({ name: one.name, description: one[layer] })) };
    });
  }
}

export const layer = (name: string) => page.getByRole("region", { name: `${name} description` });

export const row = (name: string) =>
  page
    .getByRole("table", { name: "Columns" })
    .getByRole("row")
    .filter({ has: page.getByRole("rowheader", { name: new RegExp(`^${name}`) }) });

export const button = (name: string) => page.getByRole("main").getByRole("button", { name, exact: true });

export const startEditing = async (layerName: "Community Descriptions" | "Private Descriptions") => {
  await button("Edit").click();
  await page.getByRole("menuitem", { name: layerName, exact: true }).click();
};

export const community = () => page.getByRole("textbox", { name: "Community description", exact: true });

export const communityOf = (name: string) => page.getByRole("textbox", { name: `Community description of ${name}`, exact: true });
