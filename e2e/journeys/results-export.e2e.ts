import { expect, test } from "../support/fixtures.ts";
import { exportResults } from "../support/results-export.ts";
import { chooseAction, katrina, openResults, portalApi } from "../support/results.ts";

test("[EXPORT-02][EXPORT-04] JSON saves category_datasetId.json with the loaded rows as sent by the server, including hidden columns", async ({
  page,
  request,
  signIn,
}) => {
  await signIn();
  await openResults(page, katrina);
  await page.getByRole("button", { name: "Load More" }).click();
  await expect(page.getByText("50 rows loaded")).toBeVisible();
  await chooseAction(page, "Show Column Visibility");
  await page.getByRole("checkbox", { name: "season", exact: true }).uncheck();
  const { name, text } = await exportResults(page, "JSON");
  expect(name).toBe("Tropical weather_storm-tracks.json");
  expect(JSON.parse(text)).toEqual(await (await portalApi(request)).rows(katrina, { offset: 0, max: 50 }));
});

test("[EXPORT-03][EXPORT-04] CSV saves category_datasetId.csv with the visible columns of the loaded rows in order", async ({
  page,
  request,
  signIn,
}) => {
  await signIn();
  await openResults(page, katrina);
  await chooseAction(page, "Show Column Visibility");
  const columns = page.getByRole("region", { name: "Columns", exact: true });
  await columns.getByRole("button", { name: "Select None" }).click();
  for (const column of ["wind", "name", "time", "position"]) await columns.getByRole("checkbox", { name: column, exact: true }).check();
  await page.getByRole("columnheader").first().focus();
  await page.keyboard.press("Alt+ArrowRight");
  const { name, text } = await exportResults(page, "CSV");
  expect(name).toBe("Tropical weather_storm-tracks.csv");
  const rows = await (await portalApi(request)).rows(katrina, { offset: 0, max: 25 });
  const lines = rows.map((row) => {
    const time = new Date(Number(row["time"]) * 1_000).toISOString().replace(".000Z", "Z");
    return `${time},${row["name"]},"${row["latitude"]}, ${row["longitude"]}",${row["wind"]}`;
  });
  expect(text).toBe(["time,name,position,wind", ...lines, ""].join("\r\n"));
});
