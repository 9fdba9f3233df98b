import { datasetAdministration } from "@fairway/contract/dataset-administration";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { chooseInRow, dialog, dialogButton, openAdmin, serveEntities, rowOf, saveButton } from "#testing/entities.ts";
import { press } from "#testing/keyboard.ts";
import { gateway } from "#testing/open-screen.tsx";
import { visits, readingOf, expectKeptEditing, storedOf } from "#testing/readings.ts";
import { expectTexts } from "#testing/assertions.ts";

const tracks = { ...visits, id: "tracks", source: { kind: "files", glob: "tracks.parquet", format: "parquet" } };

it("New from data names the category in a field, also of a whole folder, and shows each problem once", async () => {
  serveEntities("datasets/internal", [visits]);
  gateway.answer(datasetAdministration.dataFolder, ({ query: { path } }) => [
    path === ""
      ? { name: "visits", path: "visits", kind: "folder" as const, bytes: null }
      : { name: "a.csv", path: "visits/a.csv", kind: "file" as const, bytes: 60 },
  ]);
  const problem = "1 line has fewer values than there are columns (line 2); the missing ones are read as empty.";
  gateway.answer(datasetAdministration.inspect, ({ body: { choices } }) => {
    const reading = readingOf(choices);
    return {
      dataset: { ...visits, id: "made", category: "Visits" },
      files: 1,
      sample: [],
      notes: [],
      problems: [problem],
      reading: { ...reading, files: reading.files.map((file) => Object.assign({}, file, { sentences: [problem] })) },
    };
  });
  await openAdmin("/internal-dataset-settings", "Internal Datasets");
  await page.getByRole("button", { name: "New from data" }).click();
  await expect.element(dialog().getByRole("textbox", { name: "Category" })).not.toBeInTheDocument();
  await dialog().getByRole("button", { name: "visits" }).click();
  await dialog().getByRole("button", { name: "This whole folder" }).click();
  const category = dialog().getByRole("textbox", { name: "Category" });
  await expect.element(category).toHaveValue("Visits");
  await expect.element(dialog().getByRole("list", { name: "What can't be read" })).toHaveTextContent(problem);
  expect(dialog().getByText(problem).elements()).toHaveLength(1);
  await category.fill(" Guests ");
  await press("Escape");
  await expectKeptEditing();
  await dialogButton("Continue").click();
  await expect.element(dialog().getByRole("textbox", { name: "JSON", exact: true })).toHaveTextContent('"category": "Guests"');
});

it("changes the zone of a column where the report names it", async () => {
  serveEntities("datasets/internal", [visits]);
  gateway.answer(datasetAdministration.dataFolder, [{ name: "visits.csv", path: "visits.csv", kind: "file", bytes: 60 }]);
  gateway.answer(datasetAdministration.inspect, ({ body: { choices } }) => {
    const reading = readingOf(choices);
    const zone = choices?.columns?.["visit"]?.zone ?? "UTC";
    const [visit, ...others] = reading.columns;
    const timed = visit && { ...visit, zone, sentence: `They name no zone and are taken as ${zone}.` };
    return {
      dataset: { ...visits, id: "made" },
      files: 1,
      sample: [],
      notes: [],
      problems: [],
      reading: { ...reading, columns: timed ? [timed, ...others] : others },
    };
  });
  await openAdmin("/internal-dataset-settings", "Internal Datasets");
  await page.getByRole("button", { name: "New from data" }).click();
  await dialog().getByRole("button", { name: "visits.csv" }).click();
  await dialog().getByRole("button", { name: "Change the zone of visit" }).click();
  const zone = dialog().getByRole("combobox", { name: "Zone of visit" });
  await expect.element(zone).toHaveFocus();
  await expect.element(zone).toHaveValue("UTC");
  await zone.selectOptions("Europe/Berlin");
  await expect.element(dialog().getByText("They name no zone and are taken as Europe/Berlin.")).toBeVisible();
  expect(gateway.received(datasetAdministration.inspect).at(-1)?.body).toMatchObject({
    choices: { columns: { visit: { zone: "Europe/Berlin" } } },
  });
  await expectAccessible({ within: ["[role=dialog]"] });
});

it("New from data keeps what was found while a choice is refused, and does not continue with it", async () => {
  serveEntities("datasets/internal", [visits]);
  gateway.answer(datasetAdministration.dataFolder, [{ name: "visits.csv", path: "visits.csv", kind: "file", bytes: 60 }]);
  gateway.answer(datasetAdministration.inspect, ({ body: { choices } }) => ({
    dataset: { ...visits, id: "made" },
    files: 1,
    sample: [],
    notes: [],
    problems: [],
    reading: readingOf(choices),
  }));
  await openAdmin("/internal-dataset-settings", "Internal Datasets");
  await page.getByRole("button", { name: "New from data" }).click();
  await dialog().getByRole("button", { name: "visits.csv" }).click();
  await expect.element(dialogButton("Continue")).toBeEnabled();
  gateway.refuse(datasetAdministration.inspect, "invalid-value", "No line could be read as GBK.", { times: 1 });
  await dialog().getByText("Change how it is read").click();
  await dialog().getByRole("combobox", { name: "Encoding" }).selectOptions("GBK");
  await expect.element(dialog().getByRole("alert")).toHaveTextContent("No line could be read as GBK.");
  await expect.element(dialogButton("Continue")).toBeDisabled();
  await dialog().getByRole("combobox", { name: "Encoding" }).selectOptions("UTF-16 (little-endian)");
  await expect.element(dialog().getByRole("alert")).not.toBeInTheDocument();
  await expect.element(dialogButton("Continue")).toBeEnabled();
  await press("Escape");
  await expectKeptEditing();
});

it("a schema update reports contradictions of the stored reading", async () => {
  serveEntities("datasets/internal", [visits]);
  gateway.answer(datasetAdministration.updateSchema, {
    jobId: "1",
    status: "done",
    progress: { done: 2, total: 2, step: "Done" },
    startedMs: 0,
    finishedMs: 1,
    problem: null,
    result: { added: [], removed: [], changed: [], unchanged: 2, reading: ["'visit' proves month first now (line 9: 01/13/2024)."] },
  });
  await openAdmin("/internal-dataset-settings", "Internal Datasets");
  await chooseInRow("visits", "Update Schema");
  await expect.element(dialog().getByRole("status")).toHaveTextContent("'visit' proves month first now (line 9: 01/13/2024).");
});

it("a dataset of text files shows how they are read, and stores it with the answers", async () => {
  const { stored } = serveEntities("datasets/internal", [visits, tracks]);
  gateway.answer(datasetAdministration.reading, ({ body: { choices } }) => ({
    reading: readingOf(choices),
    stored: storedOf(choices),
    isStored: false,
    differences: ["'visit' has 1 value that is no day."],
    columns: [{ name: "visit", type: "TIMESTAMP_SECONDS" as const, description: "", combined: null, day: true }],
    changes: { added: [], removed: ["who"], changed: [{ name: "visit", from: "STRING", to: "TIMESTAMP_SECONDS" }], unchanged: 0 },
    sample: [{ visit: choices?.answers?.["dateOrder"] === "day-first" ? 1_706_745_600 : 1_704_153_600 }],
  }));
  await openAdmin("/internal-dataset-settings", "Internal Datasets");
  await chooseInRow("visits", "How Files Are Read");
  await expect.element(dialog().getByText("These settings aren't saved yet")).toBeVisible();
  await expectTexts(dialog().getByRole("list", { name: "What no longer fits" }).getByRole("listitem"), [
    "'visit' has 1 value that is no day.",
  ]);
  await dialog()
    .getByRole("combobox", { name: "Is 01/02/2024 in February or January?" })
    .selectOptions("Day first: 01/02/2024 is February 1, 2024");
  await expect.element(dialog().getByText("Assumed", { exact: true })).not.toBeInTheDocument();
  await press("Escape");
  await expectKeptEditing();
  await expectTexts(dialog().getByRole("region", { name: "What saving changes" }).getByRole("listitem"), [
    "visit: text becomes time",
    "Removed: who",
  ]);
  await expect.element(dialog().getByRole("region", { name: "Sample" })).toHaveTextContent("02/01/2024");
  // The field and the question are one decision: the newest counts.
  await dialog().getByText("Change how it is read").click();
  await dialog().getByRole("combobox", { name: "Order of dates" }).selectOptions("Month first: 05/03/2024 is May 3");
  await expect.element(dialog().getByRole("region", { name: "Sample" })).toHaveTextContent("01/02/2024");
  expect(gateway.received(datasetAdministration.reading).at(-1)?.body).toMatchObject({ choices: { dateOrder: "month-first" } });
  expect(gateway.received(datasetAdministration.reading).at(-1)?.body).not.toHaveProperty("choices.answers");
  await dialog()
    .getByRole("combobox", { name: "Is 01/02/2024 in February or January?" })
    .selectOptions("Day first: 01/02/2024 is February 1, 2024");
  await expect.element(dialog().getByRole("region", { name: "Sample" })).toHaveTextContent("02/01/2024");
  await saveButton().click();
  await expect.element(dialog()).not.toBeInTheDocument();
  expect(stored.find(({ id }) => id === "visits")).toMatchObject({
    source: { reading: { dateOrder: "day-first" } },
    schema: { columns: [{ name: "visit", type: "TIMESTAMP_SECONDS", day: true }] },
  });
  await page.getByRole("button", { name: "Actions: tracks", exact: true }).click();
  await expect.element(page.getByRole("menuitem", { name: "Update Schema" })).toBeVisible();
  await expect.element(page.getByRole("menuitem", { name: "How Files Are Read" })).not.toBeInTheDocument();
  await expect.element(rowOf("tracks")).toBeVisible();
});
