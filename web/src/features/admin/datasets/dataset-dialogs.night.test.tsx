import { datasetAdministration } from "@fairway/contract/dataset-administration";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectText } from "#testing/assertions.ts";
import { dialog, dialogButton } from "#testing/entities.ts";
import { gateway } from "#testing/open-screen.tsx";
import { airports, openDatasets } from "#testing/dataset-dialogs.ts";

it("a dataset is created from a folder of a bucket, whose entries come in pages", async () => {
  await openDatasets();
  gateway.answer(datasetAdministration.dataFolder, []);
  const entry = (kind: "folder" | "file", name: string, path: string) => ({ name, path, kind, bytes: kind === "file" ? 1 : null });
  gateway.refuse(datasetAdministration.buckets, "upstream-failed", "The file store cannot be reached.", { times: 1 });
  await page.getByRole("button", { name: "New from data" }).click();
  await dialog().getByText("S3", { exact: true }).click();
  await expectText(dialog().getByRole("alert"), "The folder could not be read.The file store cannot be reached.Retry");
  gateway.answer(datasetAdministration.buckets, ({ query: { within, next } }) =>
    within === ""
      ? { entries: [entry("folder", "lake", "s3://lake")], next: null }
      : next === undefined
        ? { entries: [entry("folder", "day=1", "s3://lake/day=1"), entry("file", "a.csv", "s3://lake/a.csv")], next: "page 2" }
        : { entries: [entry("file", "b.csv", "s3://lake/b.csv")], next: null },
  );
  await dialogButton("Retry").click();
  await dialog().getByRole("button", { name: "lake" }).click();
  await dialogButton("Show more").click();
  await expect.element(dialog().getByRole("button", { name: "b.csv" })).toBeVisible();
  await expectAccessible({ within: ["[role=dialog]"] });
  const found = { files: 2, sample: [{ iata: "HAM", city: "Hamburg" }], notes: ["The data is partitioned by 'day'."], problems: [] };
  gateway.answer(datasetAdministration.inspect, {
    ...found,
    dataset: { ...airports, id: "lake", source: { kind: "files", glob: "s3://lake/*.csv", format: "csv" } },
  });
  await dialog().getByRole("button", { name: "This whole folder" }).click();
  await expect.element(dialog().getByText("The data is partitioned by 'day'.")).toBeVisible();
  await dialogButton("Up").click();
  await expect.element(dialogButton("Continue")).toBeDisabled();
  await dialog().getByRole("button", { name: "lake" }).click();
  await dialog().getByRole("button", { name: "a.csv" }).click();
  await expect.element(dialog().getByText("The data is partitioned by 'day'.")).toBeVisible();
  expect(gateway.received(datasetAdministration.inspect).map(({ body }) => body.path)).toEqual(["s3://lake", "s3://lake/a.csv"]);
  await dialogButton("Continue").click();
  await expect.element(dialog().getByRole("textbox", { name: "JSON", exact: true })).toHaveTextContent('"glob": "s3://lake/*.csv"');
});

it("says that datasets may read no bucket, as long as the operator has allowed none", async () => {
  await openDatasets();
  gateway.answer(datasetAdministration.dataFolder, []);
  gateway.answer(datasetAdministration.buckets, { entries: [], next: null });
  await page.getByRole("button", { name: "New from data" }).click();
  await dialog().getByText("S3", { exact: true }).click();
  await expect
    .element(
      dialog().getByText("No buckets are available for datasets yet. The portal's operator lists them in FAIRWAY_S3_DATASET_BUCKETS."),
    )
    .toBeVisible();
});

it("says why tables cannot be listed, tries again, and leaves a schema by Up", async () => {
  await openDatasets();
  gateway.answer(datasetAdministration.dataFolder, []);
  gateway.refuse(datasetAdministration.tables, "not-ready", "No query server is connected.", { times: 1 });
  await page.getByRole("button", { name: "New from data" }).click();
  await dialog().getByText("Tables", { exact: true }).click();
  await expectText(dialog().getByRole("alert"), "The catalogs could not be read.No query server is connected.Retry");
  gateway.answer(datasetAdministration.tables, ({ query: { within } }) => ({
    kind: within === "" ? ("catalog" as const) : ("schema" as const),
    entries: within === "" ? [{ name: "hive", path: "hive" }] : [],
    isCut: false,
  }));
  await dialogButton("Retry").click();
  await dialog().getByRole("button", { name: "hive" }).click();
  await expect.element(dialog().getByText("There are no schemas.")).toBeVisible();
  await dialogButton("Up").click();
  await expect.element(dialog().getByRole("button", { name: "hive" })).toBeVisible();
  await expect.element(dialogButton("Continue")).toBeDisabled();
});
