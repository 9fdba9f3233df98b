import type { DatasetSchema } from "@fairway/contract/datasets";
import { descriptions } from "@fairway/contract/descriptions";
import { page } from "vitest/browser";
import { Refused, Versioned } from "./contract-gateway.ts";
import { gateway } from "./open-screen.tsx";

export const address = "/data-catalog/Tropical%20weather/storm-tracks";

const column = (name: string, communityDescription: string, userDescription = "") => ({
  id: name,
  name,
  type: 0,
  description: "",
  communityDescription,
  userDescription,
});

export const kept = {} as { stored: DatasetSchema; etag: string };

export function serveSchemaFiles(): void {
  kept.etag = '"c1.u1.x"';
  kept.stored = {
    dataset: { datasetCategory: "Tropical weather", datasetId: "storm-tracks" },
    description: "Tracks of storms.",
    communityDescription: "Count storms.",
    userDescription: "",
    containsLocationData: true,
    supportsMapResults: true,
    columns: [
      column("name", "Names return.\nEvery few years."),
      column("wind", "- In knots."),
      column("season", "Of the year."),
      column("major", ""),
    ],
  };
  gateway.answer(descriptions.schema, () => new Versioned(kept.stored, kept.etag));
  for (const route of [descriptions.saveCommunity, descriptions.saveUser]) {
    gateway.answer(route, ({ body, ifMatch }) => {
      if (ifMatch !== kept.etag) throw new Refused("stale-version", "These descriptions have changed.");
      return { description: body.description, columns: [] };
    });
  }
}

export const dialog = () => page.getByRole("dialog", { name: "Upload descriptions of storm-tracks" });

export const changed = () => dialog().getByRole("list", { name: "Changed descriptions" }).getByRole("listitem");

export const choose = async (content: string | Uint8Array<ArrayBuffer>) =>
  dialog()
    .getByLabelText("File to upload")
    .upload(new File([content], "descriptions.csv", { type: "text/csv" }));
