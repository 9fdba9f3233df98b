import { datasetAdministration } from "@fairway/contract/dataset-administration";
import type { Entity } from "@fairway/contract/entities";
import { expect } from "vitest";
import { type Locator, page } from "vitest/browser";
import { entityKindOf } from "#features/admin/entities/entity-kind-of.ts";
import { buildColumn } from "./dataset-builders.ts";
import { type StoredEntities, serveEntities } from "./entities.ts";
import { gateway, openScreen } from "./open-screen.tsx";
import { readingOf, storedOf, visits } from "./readings.ts";

/** A dataset of the demo as administrators keep it. Its files are Parquet. */
export const storms = {
  ...entityKindOf("datasets/internal").template,
  id: "storm-tracks",
  category: "Tropical weather",
  description: "Positions of storms.",
  source: { kind: "files", glob: "storms.parquet", format: "parquet" },
  schema: {
    columns: [
      buildColumn("storm_id"),
      buildColumn("name"),
      buildColumn("time", { type: "TIMESTAMP_SECONDS" }),
      buildColumn("latitude", { type: "decimal" }),
      buildColumn("longitude", { type: "decimal" }),
      buildColumn("wind", { type: "integer", unit: "kt", description: "Highest sustained wind." }),
    ],
  },
};

/** The same with this many columns. */
export const wide = (count: number) => ({
  ...storms,
  schema: { columns: Array.from({ length: count }, (_, index) => buildColumn(`c${index + 1}`)) },
});

/** Serves datasets and the reading of their text files. */
export function serveForms(bodies: readonly Record<string, unknown>[] = [storms, visits]): StoredEntities {
  serveEntities("roles", [{ name: "pilots" }]);
  gateway.answer(datasetAdministration.reading, ({ body: { choices } }) => ({
    reading: readingOf(choices),
    stored: storedOf(choices),
    isStored: false,
    differences: [],
    columns: [
      choices?.columns?.["visit"]?.type === "STRING"
        ? buildColumn("visit")
        : buildColumn("visit", { type: "TIMESTAMP_SECONDS", day: true }),
      buildColumn("who"),
    ],
  }));
  return serveEntities("datasets/internal", bodies);
}

/** Opens the form of a dataset and waits for it. */
export async function openDatasetForm(id: string): Promise<void> {
  await openScreen(`/internal-dataset-settings?form=${id}`, { roles: ["admin"] });
  await expect.element(section("Columns")).toBeVisible();
}

export const section = (name: string): Locator => page.getByRole("region", { name, exact: true });
export const columnField = (field: string, column: string): Locator =>
  section("Columns").getByRole(field === "Type" ? "combobox" : "textbox", { name: `${field} of ${column}`, exact: true });
export const formButton = (name: string): Locator => page.getByRole("button", { name, exact: true });
export const shownColumns = (): Locator => section("Columns").getByRole("rowheader");

export const columnsOf = ({ stored }: StoredEntities, id = "storm-tracks"): Record<string, unknown>[] => {
  const { schema } = stored.find((one: Entity) => one["id"] === id) as unknown as { schema: { columns: Record<string, unknown>[] } };
  return schema.columns;
};
