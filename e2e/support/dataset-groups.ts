import { apiBase } from "@fairway/contract/api";
import type { DatasetGroup } from "@fairway/contract/dataset-groups";
import { type APIRequestContext, type Page, expect } from "@playwright/test";
import { createAccount } from "./accounts.ts";
import { visitAs } from "./sign-in.ts";

export const groupsPath = `${apiBase}/datasetGroupings`;
export const groupTab = (page: Page) => page.getByRole("tab", { name: "Dataset Groups", exact: true });
export const groupList = (page: Page) => page.getByRole("list", { name: "Dataset groups", exact: true });
export const groupButton = (page: Page, name: string) =>
  groupList(page).getByRole("button", { name: new RegExp(`^${name} \\d+ datasets$`) });

type Dataset = readonly [category: string, datasetId: string];
const refOf = ([datasetCategory, datasetId]: Dataset) => ({ datasetCategory, datasetId });

interface GroupDraft {
  name: string;
  description?: string;
  datasets: readonly Dataset[];
}

/** Signs in as a new account with these groups and opens the Dataset Groups tab. */
export async function visitGroups(page: Page, request: APIRequestContext, groups: readonly GroupDraft[] = []): Promise<DatasetGroup[]> {
  const { username, password } = await createAccount();
  const login = await request.post(`${apiBase}/auth/login`, { data: { username, password } });
  const { token } = (await login.json()) as { token: { access_token: string } };
  const created: DatasetGroup[] = [];
  for (const { name, description = "", datasets } of groups) {
    const answer = await request.post(groupsPath, {
      headers: { authorization: `Bearer ${token.access_token}` },
      data: { name, description, datasets: datasets.map(refOf) },
    });
    expect(answer.status()).toBe(201);
    created.push((await answer.json()) as DatasetGroup);
  }
  await visitAs(page, username, password);
  await groupTab(page).click();
  await expect(page.getByRole("button", { name: "New Dataset Group" })).toBeVisible();
  return created;
}
