import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { axeViolations } from "../support/accessibility.ts";
import { Actions, firstRows, openTable } from "../support/actions.ts";
import { expect, test } from "../support/fixtures.ts";
import { signInAsNewAccount } from "../support/own-account.ts";

const may2001 = { from: "2001-05-01T00:00:00", to: "2001-05-31T23:59:59" };
const flights = { dataset: "flights", category: "Aviation" };

const data = (name: string): string =>
  resolve(dirname(createRequire(import.meta.url).resolve("vega-datasets")), "../data", name).replaceAll("'", "''");

/** Rows of a statement over the flights of May 2001 with the state of their origin, by hand from the files of the demo. */
async function byHand(select: string): Promise<unknown[][]> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const { columnNames, ...found } = await connection
    .runAndReadAll(`
    with airports as (select iata, nullif(state, 'NA') as state from read_csv('${data("airports.csv")}', header = true, all_varchar = true)),
    rows as (
      select f.*, a.state from read_parquet('${data("flights-3m.parquet")}') as f left join airports as a on a.iata = f.origin
      where f.date between timestamp '2001-05-01 00:00:00' and timestamp '2001-05-31 23:59:59'
    )
    ${select}`)
    .then((reader) => ({ columnNames: reader.columnNames(), rows: reader.getRowsJS() }));
  instance.closeSync();
  expect(columnNames.length).toBeGreaterThan(0);
  return found.rows;
}

const count = (value: unknown): string => Number(value).toLocaleString("en-US");

test("shares of flights by the state of their origin are five actions from open results", async ({ page }) => {
  await signInAsNewAccount(page);
  const actions = await openTable(page, may2001, flights);
  await actions.openColumnMenu("origin");
  await actions.press("Columns of another dataset …", "menuitem");
  const dialog = page.getByRole("dialog", { name: "Columns of another dataset" });
  await expect(dialog.getByRole("combobox", { name: "Dataset" })).toHaveValue("airport-codes");
  const [[origins] = []] = await byHand("select count(distinct origin) from rows");
  await expect(dialog.getByText(`All ${count(origins)} values of origin are found. iata never repeats.`)).toBeVisible();
  await actions.click(dialog.getByRole("checkbox", { name: "state", exact: true }));
  await expect(dialog.getByRole("region", { name: "Preview" })).toContainText("GA");
  expect(await axeViolations(page)).toEqual([]);
  await actions.press("Add columns");
  await actions.press("Summarize by origin_state");
  expect(actions.count).toBeLessThanOrEqual(5);
  const title = "# Occurences by origin_state";
  const expected = await byHand(`select state, count(*), 100.0 * count(*) / (select count(*) from rows) from rows
    where state is not null group by state order by count(*) desc limit 5`);
  expect(await firstRows(page, title, 5)).toEqual(
    expected.map(([state, rows, share]) => [state, count(rows), `${Number(share).toFixed(1)} %`]),
  );
});

test("average delays by state, and late flights by weekday, are answered by screens alone", async ({ page }) => {
  await signInAsNewAccount(page);
  await test.step("average delay by state", async () => {
    const actions = await openTable(page, may2001, flights);
    await actions.openColumnMenu("origin");
    await actions.press("Columns of another dataset …", "menuitem");
    await actions.click(page.getByRole("dialog").getByRole("checkbox", { name: "state", exact: true }));
    await actions.press("Add columns");
    await actions.openColumnMenu("delay");
    await actions.press("Average of delay by …", "menuitem");
    await actions.choose("Add grouping", "origin_state");
    const expected = await byHand(`select state, avg(delay), count(*) from rows where state is not null
      group by state having count(*) >= 100 order by avg(delay) desc limit 3`);
    expect(await firstRows(page, "Average of delay by origin_state", 3)).toEqual(
      expected.map(([state, average, rows]) => [state, Number(average).toFixed(2), count(rows)]),
    );
  });
  await test.step("late as a column: four actions", async () => {
    const actions = await openTable(page, may2001, flights);
    await actions.press("Add column");
    await actions.type("Name", "late");
    await actions.type("Formula", "if(delay > 15, 'late', 'on time')");
    await actions.click(page.getByRole("dialog").getByRole("button", { name: "Add column", exact: true }));
    await expect(page.getByRole("columnheader", { name: /^late/ })).toBeVisible();
    expect(actions.count).toBeLessThanOrEqual(4);
  });
  await test.step("late or not by weekday", async () => {
    const actions = new Actions(page);
    await actions.openColumnMenu("late");
    await actions.press("Summarize by late", "menuitem");
    await actions.choose("Add grouping", "date by day of week");
    const late = await byHand(`select isodow(date), count(*) from rows where delay > 15 group by 1 order by 1`);
    const days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
    for (const [index, [, rows]] of late.entries()) {
      await expect(
        page.getByRole("button", { name: `late, ${days[index] ?? ""}, # Occurences ${count(rows)}`, exact: true }),
      ).toBeVisible();
    }
  });
});
