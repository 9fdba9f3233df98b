import { datasetAdministration } from "@fairway/contract/dataset-administration";
import type { ReadingChoices } from "@fairway/contract/readings";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectTexts } from "#testing/assertions.ts";
import { chooseInRow, dialog, dialogButton, openAdmin, rowOf, saveButton, serveEntities } from "#testing/entities.ts";
import { press } from "#testing/keyboard.ts";
import { gateway } from "#testing/open-screen.tsx";
import { visits, readingOf, expectKeptEditing } from "#testing/readings.ts";

const tracks = { ...visits, id: "tracks", source: { kind: "files", glob: "tracks.parquet", format: "parquet" } };

/** The same as the gateway would store it. */
const storedOf = (choices: ReadingChoices | undefined) => ({
  columns: [],
  ...(choices?.answers?.["dateOrder"] ? { dateOrder: choices.answers["dateOrder"] as "day-first" } : {}),
});

it("New from data shows how each column is read, and reads again as chosen", async () => {
  serveEntities("datasets/internal", [visits]);
  gateway.answer(datasetAdministration.dataFolder, [{ name: "visits.csv", path: "visits.csv", kind: "file", bytes: 60 }]);
  gateway.answer(datasetAdministration.inspect, ({ body: { choices } }) => ({
    dataset: { ...visits, id: "made", source: { ...visits.source, reading: storedOf(choices) } },
    files: 1,
    sample: [{ visit: 1_704_153_600, who: "a" }],
    notes: [],
    problems: [],
    reading: readingOf(choices),
  }));
  await openAdmin("/internal-dataset-settings", "Internal Datasets");
  await page.getByRole("button", { name: "New from data" }).click();
  await dialog().getByRole("button", { name: "visits.csv" }).click();
  const understood = dialog().getByRole("region", { name: "What was understood" });
  await expect.element(understood).toHaveTextContent("UTF-8, comma, column names in line 1, 3 rows");
  await expect.element(understood).toHaveTextContent("1 open question, 1 value not read");
  expect(understood.getByText("1 line not read").elements()).toHaveLength(1);
  await expect.element(understood).toHaveTextContent('Line 4: the quote is never closed: a,"b');
  const columns = dialog().getByRole("region", { name: "Columns" });
  await expectTexts(columns.getByRole("rowheader"), ["visit", "who"]);
  await expect.element(columns.getByRole("row").nth(1)).toHaveTextContent("Assumed");
  await columns.getByText("1 not read").click();
  await expect.element(columns).toHaveTextContent("line 3: soon");
  await expectAccessible({ within: ["[role=dialog]"] });

  const question = dialog().getByRole("combobox", { name: "Is 01/02/2024 in February or January?" });
  await expect.element(question).toHaveValue("month-first");
  await expect.element(dialog().getByText("1 question is open: the dataset has a warning until it is answered.")).toBeVisible();
  await question.selectOptions("Day first: 01/02/2024 is February 1, 2024");
  await expect.element(columns.getByRole("row").nth(1)).toHaveTextContent("Some do not fit");
  await expect.element(dialog().getByRole("combobox", { name: "Is 01/02/2024 in February or January?" })).toHaveValue("day-first");
  await dialog().getByRole("combobox", { name: "Read visit as" }).selectOptions("text");
  await expect.element(columns.getByRole("row").nth(1)).toHaveTextContent("Sure");
  expect(gateway.received(datasetAdministration.inspect).at(-1)?.body).toMatchObject({
    path: "visits.csv",
    choices: { answers: { dateOrder: "day-first" }, columns: { visit: { type: "STRING", format: null } } },
    hints: { dateOrder: "month-first" },
  });
  await expect.element(dialog().getByText("1 question is open: the dataset has a warning until it is answered.")).not.toBeInTheDocument();
  await dialogButton("Continue").click();
  await expect.element(dialog().getByRole("textbox", { name: "JSON", exact: true })).toHaveTextContent('"dateOrder": "day-first"');
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
