import { datasetAdministration } from "@fairway/contract/dataset-administration";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectTexts } from "#testing/assertions.ts";
import { dialog, dialogButton, openAdmin, serveEntities } from "#testing/entities.ts";
import { gateway } from "#testing/open-screen.tsx";
import { visits, readingOf, storedOf } from "#testing/readings.ts";

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
