import { imports } from "@fairway/contract/imports";
import { beforeEach, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { expectTexts } from "#testing/assertions.ts";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { gateway } from "#testing/open-screen.tsx";
import { serveImport } from "#testing/own-data.ts";
import { act, katrina } from "#testing/results.ts";
import { openOwnResults } from "#testing/own-results.ts";

beforeEach(() => serveDatasets(gateway));

const entries = ["Append Rows", "Replace Rows", "Share Dataset", "Dataset Settings"];
const items = () => page.getByRole("menuitem", { name: /^(?:Append Rows|Replace Rows|Share Dataset|Dataset Settings)$/ });

it.each([
  ["own", entries],
  ["edit", entries.filter((entry) => entry !== "Share Dataset")],
  ["view", []],
] as const)("offers what one may do with a dataset that somebody has brought: %s", async (can, expected) => {
  await openOwnResults(can);
  await page.getByRole("button", { name: "Actions", exact: true }).click();
  await expect.element(page.getByRole("menuitem", { name: "Rerun Search" })).toBeVisible();
  await expectTexts(items(), [...expected]);
});

it("appends files from the menu", async () => {
  serveImport(gateway);
  await openOwnResults("own");
  const chosen: HTMLInputElement[] = [];
  const click = vi.spyOn(HTMLInputElement.prototype, "click").mockImplementation(function (this: HTMLInputElement) {
    chosen.push(this);
  });
  try {
    await act("Append Rows");
    await expect.poll(() => chosen).toHaveLength(1);
  } finally {
    click.mockRestore();
  }
  const transfer = new DataTransfer();
  transfer.items.add(new File(["a,b\n1,2\n"], "more.csv"));
  const [input] = chosen;
  if (input === undefined) throw new Error("no files were asked for");
  input.files = transfer.files;
  input.dispatchEvent(new Event("change"));
  await expect.poll(() => location.pathname).toBe("/add-data/import-1");
  const into = { datasetCategory: katrina.category, datasetId: katrina.dataset, mode: "append" };
  expect(gateway.received(imports.start)[0]?.body).toMatchObject({ into });
});
