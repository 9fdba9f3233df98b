import { type DatasetGroup, datasetGroups } from "@fairway/contract/dataset-groups";
import { expect } from "vitest";
import { type Locator, page } from "vitest/browser";
import { Refused } from "./contract-gateway.ts";
import { gateway, openScreen } from "./open-screen.tsx";

export const groupTab = (): Locator => page.getByRole("tab", { name: "Dataset Groups", exact: true });
export const groupList = (): Locator => page.getByRole("list", { name: "Dataset groups", exact: true });
export const groupButton = (name: string): Locator => groupList().getByRole("button", { name: new RegExp(`^${name} \\d+ datasets$`) });
export const newGroupButton = (): Locator => page.getByRole("button", { name: "New Dataset Group" });

type Dataset = readonly [category: string, datasetId: string];

export const refOf = ([datasetCategory, datasetId]: Dataset) => ({ datasetCategory, datasetId });

interface GroupDraft {
  name: string;
  description?: string;
  datasets: readonly Dataset[];
}

/** Makes the gateway store the user's dataset groups, initially these. */
export function serveGroups(drafts: readonly GroupDraft[] = []): void {
  let stored = drafts.map(({ name, description = "", datasets }): DatasetGroup => ({
    id: `g-${name}`,
    name,
    description,
    userId: "u-ada",
    datasets: datasets.map(refOf),
  }));
  gateway.answer(datasetGroups.list, () => stored);
  gateway.answer(datasetGroups.create, ({ body }) => {
    const created = { id: `g-${body.name}`, userId: "u-ada", ...body };
    stored = [...stored, created];
    return created;
  });
  gateway.answer(datasetGroups.edit, ({ body }) => {
    const group = stored.find(({ name }) => name === body.name);
    if (!group) throw new Refused("not-found", "There is no such dataset group.");
    const edited = { ...group, ...body };
    stored = stored.map((entry) => (entry === group ? edited : entry));
    return edited;
  });
  gateway.answer(datasetGroups.remove, ({ params }) => {
    stored = stored.filter(({ name }) => name !== params.name);
    return undefined;
  });
}

/** Opens the tab of dataset groups for a user with these groups. */
export async function openGroups(drafts: readonly GroupDraft[] = []): Promise<void> {
  serveGroups(drafts);
  await openScreen("/search?tab=groups");
  await expect.element(newGroupButton()).toBeVisible();
}
