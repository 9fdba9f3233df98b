import type { DatasetSchema } from "@fairway/contract/datasets";
import { type DescriptionSuggestion, descriptionSuggestions } from "@fairway/contract/description-suggestions";
import { descriptions } from "@fairway/contract/descriptions";
import { page } from "vitest/browser";
import { Refused, Versioned } from "./contract-gateway.ts";
import { gateway } from "./open-screen.tsx";

export const address = "/data-catalog/Tropical%20weather/storm-tracks";

export const editor = { roles: ["schema-edit"] };

export const dataset = { datasetCategory: "Tropical weather", datasetId: "storm-tracks" };

const column = (name: string, communityDescription = "") => ({
  id: name,
  name,
  type: 0,
  description: `The ${name}.`,
  communityDescription,
  userDescription: "",
});

export const kept = {} as { stored: DatasetSchema; open: DescriptionSuggestion[] };

export const suggestion = (id: string, columnName: string | null, description: string, more: Partial<DescriptionSuggestion> = {}) => ({
  id,
  columnName,
  description,
  replaces: textOf(columnName),
  username: "jonas",
  name: "Jonas Keller",
  isOwn: false,
  suggestedMs: Date.UTC(2026, 10, 20, 12),
  ...more,
});

const textOf = (columnName: string | null): string =>
  columnName === null
    ? kept.stored.communityDescription
    : (kept.stored.columns.find(({ name }) => name === columnName)?.communityDescription ?? "");

export function approve(columnName: string | null, text: string): void {
  kept.stored =
    columnName === null
      ? { ...kept.stored, communityDescription: text }
      : {
          ...kept.stored,
          columns: kept.stored.columns.map((one) => (one.name === columnName ? { ...one, communityDescription: text } : one)),
        };
}

export function serveSuggestions(): void {
  kept.stored = {
    dataset,
    description: "Tracks.",
    communityDescription: "Count storms.",
    userDescription: "",
    containsLocationData: true,
    supportsMapResults: true,
    columns: [
      column("wind", "Reported in steps of 5 kt."),
      ...Array.from({ length: 20 }, (_, index) => column(`column_${index}`)),
      column("last"),
    ],
  };
  kept.open = [];
  gateway.answer(descriptions.schema, () => new Versioned(kept.stored, '"c1.u1.x"'));
  gateway.answer(descriptionSuggestions.list, () => kept.open);
  gateway.answer(descriptionSuggestions.suggest, ({ body: { columnName, description } }) => {
    if (description.includes("refused")) throw new Refused("too-many-requests", "You have 100 open suggestions already.");
    const saved = suggestion(`own ${columnName}`, columnName, description, { isOwn: true, username: "ada", name: "Ada Lovelace" });
    kept.open = [...kept.open.filter(({ id }) => id !== saved.id), saved];
    return saved;
  });
  gateway.answer(descriptionSuggestions.withdraw, ({ params: { id } }) => {
    kept.open = kept.open.filter((one) => one.id !== id);
    return undefined;
  });
  gateway.answer(descriptionSuggestions.decide, ({ params: { id }, body: { decision, replaces } }) => {
    const decided = kept.open.find((one) => one.id === id);
    if (!decided) throw new Refused("not-found", "There is no such suggestion.");
    if (decision === "approve" && replaces !== textOf(decided.columnName))
      throw new Refused("stale-version", "The description has changed.");
    if (decision === "approve") approve(decided.columnName, decided.description);
    kept.open = kept.open.filter((one) => one.id !== id);
    return undefined;
  });
}

export const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });

const row = (name: string) => page.getByRole("row").filter({ has: page.getByRole("rowheader", { name: new RegExp(`^${name} ?String$`) }) });

export const community = (name: string) => row(name).getByRole("cell").nth(1);

export const layer = () => page.getByRole("region", { name: "Community description" });
