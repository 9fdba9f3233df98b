import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { chooseInRow, deleteEntity, listEntities, jsonEditor, openAdmin, uniqueName, rowOf } from "../support/administration.ts";
import { expect, test } from "../support/fixtures.ts";
import { adminHeaders } from "../support/own-account.ts";
import { homeFolder } from "../support/platform.ts";

test("an administrator creates a dataset from a file with unreadable values, describes it and updates its schema", async ({
  page,
  request,
  signIn,
}) => {
  const id = uniqueName("readings");
  const folder = join(homeFolder, "datasets", id);
  await mkdir(folder);
  await writeFile(join(folder, `${id}.csv`), "id,value\n1,10\n2,n/a\n3,30,4\n4,40\n");
  const badValue = "1 value of column 'value' is not a number (line 3: 'n/a'); it is read as empty.";
  const badLine = "1 of 4 lines could not be read (line 4: 3 values where 2 are expected).";
  const dialog = page.getByRole("dialog");
  const headers = await adminHeaders(request);
  const stored = async () => (await listEntities(request, "datasets/internal")).find((one) => one["id"] === id);
  await signIn("admin");
  await openAdmin(page, "/internal-dataset-settings", "Internal Datasets");

  await test.step("creates it from a file in the data folder", async () => {
    await page.getByRole("button", { name: "New from data" }).click();
    await dialog.getByRole("button", { name: id, exact: true }).click();
    await dialog.getByRole("button", { name: `${id}.csv`, exact: true }).click();
    await expect(dialog.getByRole("list", { name: "What can't be read" }).getByRole("listitem")).toHaveText([badLine, badValue]);
    await expect(dialog.getByRole("region", { name: "Sample" }).getByRole("columnheader", { name: "value" })).toBeVisible();
    await expect(dialog.getByRole("region", { name: "Sample" }).getByRole("row")).toHaveCount(4);
    await dialog.getByRole("button", { name: "Continue" }).click();
    await expect(dialog.getByRole("heading", { name: "New internal dataset" })).toBeVisible();
    await expect(jsonEditor(dialog)).toContainText(`"glob": "${id}/`);
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await expect(dialog).toHaveCount(0);
    await (await rowOf(page, id)).getByRole("button", { name: `2 warnings: ${id}`, exact: true }).click();
    await expect(dialog).toContainText(badValue);
    await expect(dialog).toContainText(badLine);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await expect(dialog).toHaveCount(0);
  });
  const path = `/api/datasets/${encodeURIComponent(String((await stored())?.["category"]))}/${id}`;
  const found = await request.post(`${path}/search`, { headers, data: { paging: { offset: 0, max: 10 } } });
  expect(await found.json()).toMatchObject({ results: [{ value: 10 }, { value: null }, { value: 40 }] });

  await test.step("describes it and updates its schema, which keeps the descriptions", async () => {
    await chooseInRow(page, id, "Edit Descriptions");
    await dialog.getByRole("textbox", { name: "Dataset", exact: true }).fill("What was read");
    await dialog.getByRole("textbox", { name: "value", exact: true }).fill("In degrees");
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await expect(dialog).toHaveCount(0);
    const schema = await request.get(`${path}/schema`, { headers });
    expect(JSON.stringify(await schema.json())).toContain("In degrees");
    await chooseInRow(page, id, "Update Schema");
    await expect(dialog.getByText("The columns haven't changed.")).toBeVisible();
    await dialog.getByRole("button", { name: "Close" }).last().click();
    expect(JSON.stringify(await stored())).toContain("In degrees");
  });
  await deleteEntity(request, "datasets/internal", id);
  await rm(folder, { recursive: true });
});
