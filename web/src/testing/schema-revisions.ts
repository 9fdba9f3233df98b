import type { DatasetSchema } from "@fairway/contract/datasets";
import { type DescriptionRevision, descriptions } from "@fairway/contract/descriptions";
import { page } from "vitest/browser";
import { Refused, Versioned } from "./contract-gateway.ts";
import { gateway } from "./open-screen.tsx";

export const address = "/data-catalog/Tropical%20weather/storm-tracks";

export const editor = { roles: ["schema-edit"] };

const names = ["name", "wind"];

/** The states of the community's descriptions, oldest first: of the dataset, of `name` and of `wind`. */
export const kept = {} as { states: (readonly [dataset: string, name: string, wind: string])[] };

const schema = (): DatasetSchema => {
  const [communityDescription, ...columns] = kept.states.at(-1) ?? ["", "", ""];
  return {
    dataset: { datasetCategory: "Tropical weather", datasetId: "storm-tracks" },
    description: "Tracks of storms.",
    communityDescription,
    userDescription: "",
    containsLocationData: true,
    supportsMapResults: true,
    columns: names.map((name, index) => ({
      id: name,
      name,
      type: 0,
      description: "",
      communityDescription: columns[index] ?? "",
      userDescription: "",
    })),
  };
};

const etag = () => `"c${kept.states.length}.u0.x"`;

const revisionAt = (index: number): DescriptionRevision => {
  const [description = "", ...columns] = kept.states[index] ?? [];
  return {
    description,
    columns: names.map((name, at) => ({ name, description: columns[at] ?? "" })),
    version: index + 1,
    username: index === 0 ? "ada" : "grace",
    suggestedBy: index === 1 ? "joan" : null,
    savedMs: Date.UTC(2026, 10, 1 + index),
  };
};

export function serveRevisions(): void {
  kept.states = [
    ["Tracks.", "", ""],
    ["Tracks.", "Names return.", "In knots."],
    ["Count storms.", "Names return.", "In meters."],
  ];
  gateway.answer(descriptions.schema, () => new Versioned(schema(), etag()));
  // Two revisions per page.
  gateway.answer(descriptions.communityRevisions, ({ query: { before = kept.states.length + 1 } }) =>
    kept.states
      .map((_, index) => revisionAt(index))
      .filter(({ version }) => version < before)
      .toReversed()
      .slice(0, 2),
  );
  gateway.answer(descriptions.saveCommunity, ({ body, ifMatch }) => {
    if (ifMatch !== etag()) throw new Refused("stale-version", "These descriptions have changed.");
    const [, ...columns] = kept.states.at(-1) ?? ["", "", ""];
    const texts = names.map(
      (name, at) => body.columnDescriptions.find(({ columnName }) => columnName === name)?.description ?? columns[at] ?? "",
    );
    kept.states.push([body.description, texts[0] ?? "", texts[1] ?? ""]);
    return { description: body.description, columns: names.map((name, at) => ({ name, description: texts[at] ?? "" })) };
  });
}

export const dialog = () => page.getByRole("dialog", { name: "History of community descriptions of storm-tracks" });

export const revisions = () => dialog().getByRole("list", { name: "Revisions" }).getByRole("button");

export const changed = () => dialog().getByRole("list", { name: "Changed descriptions" }).getByRole("listitem");

export const confirmRestore = async () =>
  page.getByRole("dialog", { name: "Restore these descriptions?" }).getByRole("button", { name: "Restore", exact: true }).click();
