import type { Page } from "@playwright/test";
import { createEntity, deleteEntity, listEntities, uniqueName } from "../support/administration.ts";
import { axeViolations } from "../support/accessibility.ts";
import { createAccount } from "../support/accounts.ts";
import { expect, test } from "../support/fixtures.ts";
import { bearer, tokenOf } from "../support/gateway.ts";
import { adminHeaders, signInTab } from "../support/own-account.ts";

/** The address of a search without filters, on one of its views. */
function searchOf(datasetId: string, view: "table" | "map" | "graphs"): string {
  const state = Buffer.from(JSON.stringify({ c: "Natural hazards", d: datasetId, m: view, t: [1_517_356_800, 1_518_048_000] }));
  return `/search/1#1.${state.toString("base64url")}`;
}

const chip = (page: Page) => page.getByRole("button", { name: /^Part of the rows/ }).first();

test("an administrator writes a rule and sees it as a reader, who meets it in table, map, graphs and export", async ({ page, browser }) => {
  const id = uniqueName("quakes");
  const role = uniqueName("seismologist");
  const [administrator, reader] = [await createAccount({ roles: ["admin"] }), await createAccount({ roles: [role] })];
  const { version: _, ...earthquakes } =
    (await listEntities(page.request, "datasets/internal")).find((one) => one["id"] === "earthquakes") ?? {};
  await createEntity(page.request, "datasets/internal", { ...earthquakes, id });
  await signInTab(page, administrator);
  const dialog = page.getByRole("dialog", { name: `Access to ${id}` });

  await test.step("writes a rule for rows and one for a column", async () => {
    await page.goto(`/internal-dataset-settings?access=${id}&tab=rows`);
    await expect(dialog.getByText("Everyone with access sees all rows.")).toBeVisible();
    await dialog.getByRole("button", { name: "Add rule" }).click();
    await dialog.getByRole("textbox", { name: "Name" }).fill("Region");
    await dialog.getByRole("textbox", { name: "Note" }).fill("You see the quakes of Alaska.");
    await dialog.getByRole("combobox", { name: "Holders of" }).fill(role);
    await page.getByRole("option", { name: role, exact: true }).click();
    await page.keyboard.press("Escape");
    await dialog.getByRole("combobox", { name: "Rows they see" }).selectOption({ label: "see rows where" });
    await dialog.getByRole("combobox", { name: "Column", exact: true }).selectOption("region");
    await dialog.getByRole("textbox", { name: "Value of region" }).fill("Alaska");
    await expect(dialog.getByText(`Holders of ${role} see rows where region is Alaska.`)).toBeVisible();
    await dialog.getByRole("tab", { name: "Columns" }).click();
    await dialog.getByRole("button", { name: "Limit net", exact: true }).click();
    await dialog.getByRole("combobox", { name: "Roles that see net as stored" }).fill("admin");
    await page.getByRole("option", { name: "admin", exact: true }).click();
    await page.keyboard.press("Escape");
    expect(await axeViolations(page)).toEqual([]);
  });

  await test.step("sees it as the reader, and saves", async () => {
    await dialog.getByRole("tab", { name: "See it as" }).click();
    await dialog.getByRole("combobox", { name: "Person" }).fill(reader.username);
    await page.getByRole("option", { name: reader.username }).click();
    await expect(dialog.getByText(/rows, a part of them$/)).toBeVisible();
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await expect(dialog).not.toBeVisible();
  });

  const context = await browser.newContext();
  const other = await context.newPage();
  await signInTab(other, reader);
  await test.step("the reader finds the rows of the rule, and is told", async () => {
    await other.goto(searchOf(id, "table"));
    await expect(chip(other)).toBeVisible();
    const regions = other.getByRole("gridcell", { name: "Alaska", exact: true });
    await expect(regions.first()).toBeVisible();
    await expect(other.getByRole("gridcell", { name: "California", exact: true })).toHaveCount(0);
    await expect(other.getByRole("columnheader", { name: /^net/ })).toHaveCount(0);
    await chip(other).click();
    await expect(other.getByText("You see the quakes of Alaska.").first()).toBeVisible();
    for (const view of ["map", "graphs"] as const) {
      await other.goto(searchOf(id, view));
      await expect(chip(other)).toBeVisible();
    }
  });

  await test.step("the reader exports these rows, and nothing of the withheld column", async () => {
    const headers = bearer(await tokenOf(other.request, reader.username, reader.password));
    const path = `/api/datasets/Natural%20hazards/${id}`;
    const search = { filters: [], timeRange: { start: "2018-01-31T00:00:00.000Z" } };
    const started = await other.request.post(`${path}/export`, { ...headers, data: { format: "json", search } });
    const { exportId } = (await started.json()) as { exportId: string };
    await expect
      .poll(async () => ((await (await other.request.get(`/api/exports/${exportId}`, headers)).json()) as { status: string }).status)
      .toBe("done");
    const rows = (await (await other.request.get(`/api/exports/${exportId}/file`, headers)).json()) as Record<string, unknown>[];
    expect(rows.length).toBeGreaterThan(10);
    expect([...new Set(rows.map((row) => row["region"]))]).toEqual(["Alaska"]);
    expect(rows.some((row) => "net" in row)).toBe(false);
    const refused = await other.request.post(`${path}/search`, {
      ...headers,
      data: { ...search, filters: [{ name: "net", operator: "=", value: "ak" }] },
    });
    expect([refused.status(), await refused.text()]).toEqual([400, expect.stringContaining("This dataset has no column 'net'.")]);
  });

  await test.step("a rule that is saved anew reaches the open page", async () => {
    await other.goto(searchOf(id, "table"));
    await expect(other.getByRole("gridcell", { name: "Alaska", exact: true }).first()).toBeVisible();
    const stored = (await listEntities(page.request, "datasets/internal")).find((one) => one["id"] === id) ?? {};
    expect(stored["access"]).toMatchObject({ rules: [{ name: "Region" }], columns: [{ names: ["net"], others: "withheld" }] });
    const access = JSON.parse(JSON.stringify(stored["access"]).replaceAll("Alaska", "Hawaii")) as object;
    const headers = await adminHeaders(page.request);
    expect((await page.request.put("/api/admin/datasets/internal", { headers, data: { ...stored, access } })).status()).toBe(200);
    await expect(other.getByText("What you may see of this dataset has changed. The results were loaded again.").first()).toBeVisible();
    await expect(other.getByRole("gridcell", { name: "Hawaii", exact: true }).first()).toBeVisible();
    await expect(other.getByRole("gridcell", { name: "Alaska", exact: true })).toHaveCount(0);
    await deleteEntity(page.request, "datasets/internal", id);
  });
  await context.close();
});
