import { datasetAdministration } from "@fairway/contract/dataset-administration";
import type { ColumnReading, Reading, ReadingChoices } from "@fairway/contract/readings";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectTexts } from "#testing/assertions.ts";
import { buildColumn } from "#testing/dataset-builders.ts";
import { chooseInRow, dialog, dialogButton, openAdmin, rowOf, saveButton, serveEntities } from "#testing/entities.ts";
import { press } from "#testing/keyboard.ts";
import { gateway } from "#testing/open-screen.tsx";
import { entityKindOf } from "../entity-kind-of.ts";

const visits = {
  ...entityKindOf("datasets/internal").template,
  id: "visits",
  category: "Tickets",
  source: { kind: "files", glob: "visits.csv", format: "csv" },
  schema: { columns: [buildColumn("visit", { type: "TIMESTAMP_SECONDS" }), buildColumn("who")] },
};
const tracks = { ...visits, id: "tracks", source: { kind: "files", glob: "tracks.parquet", format: "parquet" } };

const who: ColumnReading = {
  header: "who",
  name: "who",
  type: "STRING",
  format: null,
  day: false,
  unit: null,
  zone: null,
  filled: 2,
  empty: 1,
  unreadable: { count: 0, first: [] },
  state: "sure",
  sentence: "Text.",
  also: [],
};

/** The same file in either order of dates, as the gateway answers it. */
function readingOf(choices: ReadingChoices | undefined): Reading {
  const answer = choices?.answers?.["dateOrder"] ?? null;
  const taken = answer ?? "month-first";
  const isText = choices?.columns?.["visit"]?.type === "STRING";
  return {
    files: [
      {
        file: "visits.csv",
        format: "csv",
        encoding: choices?.encoding ?? "utf-8",
        encodingState: "sure",
        delimiter: ",",
        quote: '"',
        headerLine: 1,
        skipLines: 0,
        path: null,
        paths: [],
        rows: 3,
        checkedRows: null,
        unreadable: { count: 1, first: [{ line: 4, text: 'a,"b', reason: "the quote is never closed" }] },
        sentences: [],
      },
    ],
    fileCount: 1,
    rows: 3,
    dateOrder: taken === "day-first" ? "day-first" : "month-first",
    decimalMark: null,
    zone: "UTC",
    columns: [
      {
        ...who,
        header: "visit",
        name: "visit",
        type: isText ? "STRING" : "TIMESTAMP_SECONDS",
        format: isText ? null : "M/D/Y",
        day: !isText,
        filled: 3,
        empty: 0,
        unreadable: isText ? { count: 0, first: [] } : { count: 1, first: [{ line: 3, text: "soon" }] },
        state: isText ? "sure" : answer === null ? "assumed" : "mixed",
        sentence: "No day above 12 proves an order.",
        also: [{ type: "STRING", format: null, label: "text", unreadable: 0 }],
      },
      who,
    ],
    questions: [
      {
        question: "dateOrder",
        columns: ["visit"],
        sentence: "Is 01/02/2024 in February or January?",
        options: [
          { option: "day-first", label: "Day first", examples: [{ text: "01/02/2024", becomes: "February 1, 2024" }] },
          { option: "month-first", label: "Month first", examples: [{ text: "01/02/2024", becomes: "January 2, 2024" }] },
        ],
        taken,
        isAnswered: answer !== null,
      },
    ],
    checkedRows: null,
    sentences: [],
  };
}

/** Answers the question about what was chosen. */
async function expectKeptEditing(): Promise<void> {
  const question = page.getByRole("dialog", { name: "Discard your changes?" });
  await question.getByRole("button", { name: "Keep editing" }).click();
  await expect.element(question).not.toBeInTheDocument();
}

/** The same as the gateway would store it. */
const storedOf = (choices: ReadingChoices | undefined) => ({
  columns: [],
  ...(choices?.answers?.["dateOrder"] ? { dateOrder: choices.answers["dateOrder"] as "day-first" } : {}),
});

it("New from data tells how each column is read, and reads again as chosen", async () => {
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

it("New from data names the category in a field, also of a whole folder, and tells each problem once", async () => {
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
  await expectAccessible({ within: ["[role=dialog]"] });
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

it("a schema update tells what no longer fits how the files are read", async () => {
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
