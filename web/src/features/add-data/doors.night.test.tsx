import { imports } from "@fairway/contract/imports";
import { ownDatasets } from "@fairway/contract/own-datasets";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { serveFilesets } from "#testing/filesets.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { buildOwnData, dropFiles, serveImport } from "#testing/own-data.ts";

it("makes a dataset of a file of a fileset", async () => {
  gateway.answer(ownDatasets.list, buildOwnData());
  serveImport(gateway);
  serveFilesets(gateway, { archive: { files: { "rain.csv": 100, "notes.pdf": 10 } } });
  await openScreen("/filesets?fileset=archive");
  await expect.element(page.getByRole("button", { name: "Copy link to notes.pdf" })).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Make a dataset of notes.pdf" })).not.toBeInTheDocument();
  await page.getByRole("button", { name: "Make a dataset of rain.csv" }).click();
  await expect.poll(() => location.pathname).toBe("/add-data/import-1");
  expect(gateway.received(imports.start)[0]?.body).toMatchObject({ from: { filesetId: "archive", files: ["rain.csv"] } });
});

it("says in the page why an import could not be started, until the next one starts", async () => {
  gateway.answer(ownDatasets.list, buildOwnData());
  serveImport(gateway);
  gateway.refuse(imports.start, "not-supported", "'plan.xls' is an Excel 97 workbook; save it as .xlsx or CSV.");
  await openScreen("/add-data");
  await dropFiles(page.getByText("Drop a CSV, Excel"), [new File(["x"], "plan.xls")]);
  const refusal = page.getByRole("alert").filter({ hasText: "'plan.xls' is an Excel 97 workbook; save it as .xlsx or CSV." });
  await expect.element(refusal).toBeVisible();
  await expectAccessible();
  await refusal.getByRole("button", { name: "Dismiss" }).click();
  await expect.element(refusal).not.toBeInTheDocument();
});
