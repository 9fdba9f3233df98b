import { imports } from "@fairway/contract/imports";
import { ownDatasets } from "@fairway/contract/own-datasets";
import { expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { buildOwnData, serveImport } from "#testing/own-data.ts";

const panel = () => page.getByRole("region", { name: "How it is read" });
const create = () => page.getByRole("button", { name: "Create dataset" });

it("shows what was understood beside the rows, and waits for the answer to the open question", async () => {
  gateway.answer(ownDatasets.list, buildOwnData());
  const served = serveImport(gateway);
  gateway.answer(imports.create, () => {
    served.change({ status: "creating" });
    return served.data();
  });
  await openScreen("/add-data/import-1");
  await expect.element(page.getByRole("textbox", { name: "Name of the dataset" })).toHaveValue("rain-2024");
  await expect.element(page.getByText("rain-2024.csv, 58.0 KB, 1,200 rows, 7 columns")).toBeVisible();
  await expect.element(page.getByRole("columnheader", { name: /wet_days.*5 of 1,197 not read/ })).toBeVisible();
  await expect.element(page.getByRole("gridcell", { name: "7? could not be read" })).toBeVisible();
  await expect.element(create()).toBeDisabled();
  await expect.element(page.getByText("Answer one question")).toBeVisible();
  await expectAccessible();
  const question = panel().getByRole("radiogroup", { name: "Is 01/02/2024 in February or January?" });
  await question.getByRole("radio", { name: "Month first" }).click();
  await question.getByRole("button", { name: "Use month first" }).click();
  await expect.element(question).not.toBeInTheDocument();
  expect(gateway.received(imports.choose).at(-1)?.body).toStrictEqual({ answers: { dateOrder: "month-first" } });
  await create().click();
  await vi.waitFor(() => expect(gateway.received(imports.create)).toHaveLength(1));
  expect(gateway.received(imports.create).at(-1)?.body).toStrictEqual({
    name: "rain-2024",
    fields: { temporalField: "month", latitude: "lat", longitude: "lon", itemField: "station" },
  });
});
