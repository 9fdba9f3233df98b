import type { DatasetAccess } from "@fairway/contract/dataset-access";
import { datasetAccessAdministration } from "@fairway/contract/dataset-access-administration";
import { expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { openAccess } from "#testing/access-dialogs.ts";
import { dialog, saveButton } from "#testing/entities.ts";
import { gateway } from "#testing/open-screen.tsx";

type Rows = Exclude<NonNullable<DatasetAccess["rules"]>[number]["grants"][number]["rows"], "all">;

const ruled = (rows: Rows): DatasetAccess => ({ rules: [{ name: "Part", grants: [{ roles: ["north"], rows }] }] });

const textbox = (name: string) => dialog().getByRole("textbox", { name });
const press = (name: string) => dialog().getByRole("button", { name, exact: true }).click();
const sentence = (text: string) => expect.element(dialog().getByText(`Holders of north see rows where ${text}.`)).toBeVisible();
const saved = async () => {
  await saveButton().click();
  await expect.element(dialog()).not.toBeInTheDocument();
};

/** A dataset with one rule whose only filter becomes one on the column. */
async function openFilter(column: string, condition: string) {
  const served = await openAccess({ access: ruled({ filters: [{ name: "region", operator: "=", value: "north" }] }), tab: "rows" });
  await dialog().getByRole("combobox", { name: "Column", exact: true }).selectOptions(column);
  await dialog()
    .getByRole("combobox", { name: `Condition of ${column}` })
    .selectOptions(condition);
  return served;
}

it("takes a time range, whose end is the last second of a day", async () => {
  const { stored } = await openAccess({ access: ruled({ filters: [{ name: "region", operator: "=", value: "north" }] }), tab: "rows" });
  await press("Add time range");
  await saveButton().click();
  await expect.element(dialog().getByText("Add a start or an end.")).toBeVisible();
  await textbox("From").fill("2005-01-01");
  await textbox("Until").fill("2010-12-31");
  await userEvent.tab();
  await expect.element(textbox("Until")).toHaveValue("12/31/2010, 11:59:59 PM");
  await press("Remove filter on region");
  await sentence("the time is from 01/01/2005, 12:00:00 AM to 12/31/2010, 11:59:59 PM UTC");
  await saved();
  expect(stored[0]?.["access"]).toEqual(ruled({ timeRange: { start: "2005-01-01T00:00:00.000Z", end: "2010-12-31T23:59:59.000Z" } }));
});

it("takes areas, and says what is wrong with one", async () => {
  const { stored } = await openAccess({ access: ruled({ filters: [{ name: "region", operator: "=", value: "north" }] }), tab: "rows" });
  await press("Add area");
  await textbox("Area").fill("-97 25, somewhere");
  await saveButton().click();
  await expect.element(textbox("Area")).toHaveAttribute("aria-invalid", "true");
  await textbox("Area").fill("-97 25, -80 25, -80 32\n10 10, 20 10, 20 20");
  await sentence("region is north and the location is in the area");
  await saved();
  expect(stored[0]?.["access"]).toEqual(
    ruled({
      filters: [{ name: "region", operator: "=", value: "north" }],
      geospatial: { polygons: ["-97 25, -80 25, -80 32", "10 10, 20 10, 20 20"], antimeridianPolygons: false },
    }),
  );
});

it("takes a list, with commas in quotes and rows without a value", async () => {
  const { stored } = await openFilter("region", "is one of");
  await textbox("Values of region").fill('north\n"south, far", west\nempty');
  await sentence('region is one of north, "south, far", west or no value');
  await saved();
  expect(stored[0]?.["access"]).toEqual(
    ruled({ filters: [{ name: "region", operator: "in", value: ["north", "south, far", "west", null] }] }),
  );
});

it("takes both ends of a range, and names the one that is missing", async () => {
  const { stored } = await openFilter("salary", "is between");
  await textbox("Lowest salary").fill("10");
  await saveButton().click();
  await expect.element(textbox("Highest salary")).toHaveFocus();
  await expect.element(textbox("Lowest salary")).not.toHaveAttribute("aria-invalid");
  await textbox("Highest salary").fill("20");
  await sentence("salary is between 10 and 20");
  await saved();
  expect(stored[0]?.["access"]).toEqual(ruled({ filters: [{ name: "salary", operator: "between", value: [10, 20] }] }));
});

it("offers true and false, and nothing that would mean both", async () => {
  const { stored } = await openFilter("major", "is");
  const value = dialog().getByRole("combobox", { name: "Value of major" });
  expect([...value.element().querySelectorAll("option")].map(({ text }) => text)).toEqual(["Choose a value", "true", "false"]);
  await value.selectOptions("false");
  await sentence("major is false");
  await saved();
  expect(stored[0]?.["access"]).toEqual(ruled({ filters: [{ name: "major", operator: "=", value: false }] }));
});

it("has nothing to save once a change is taken back", async () => {
  await openAccess({ access: ruled({ filters: [{ name: "region", operator: "=", value: "north" }] }), tab: "rows" });
  await textbox("Value of region").fill("northern");
  await expect.element(saveButton()).toBeEnabled();
  await textbox("Value of region").fill("north");
  await expect.element(saveButton()).toBeDisabled();
});

it("names a column that left the data at once, and takes another one", async () => {
  const lost = ruled({ filters: [{ name: "region", operator: "=", value: "north" }] });
  const { stored } = await openAccess({ access: lost, tab: "rows", lost: "region" });
  await expect.element(dialog().getByText("There is no stored column 'region'.")).toBeVisible();
  await dialog().getByRole("combobox", { name: "Column", exact: true }).selectOptions("salary");
  await textbox("Value of salary").fill("7");
  await saved();
  expect(stored[0]?.["access"]).toEqual(ruled({ filters: [{ name: "salary", operator: "=", value: 7 }] }));
});

it("counts again after a failure, and keeps what was changed", async () => {
  await openAccess({ access: ruled({ filters: [{ name: "region", operator: "=", value: "north" }] }), tab: "rows" });
  await expect.element(dialog().getByText("12,340 rows that nobody sees")).toBeVisible();
  gateway.refuse(datasetAccessAdministration.check, "internal", "The disk is full.", { times: 1 });
  await textbox("Value of region").fill("south");
  await expect.element(dialog().getByRole("alert")).toHaveTextContent("The rows could not be counted.");
  await press("Retry");
  await expect.element(dialog().getByText("12,340 rows that nobody sees")).toBeVisible();
  await expect.element(textbox("Value of region")).toHaveValue("south");
});

it("shows the view of a reader again after a failure, and keeps the reader while rules are changed", async () => {
  await openAccess({ access: ruled({ filters: [{ name: "region", operator: "=", value: "north" }] }), tab: "preview" });
  gateway.refuse(datasetAccessAdministration.preview, "internal", "The disk is full.", { times: 1 });
  await dialog().getByText("Roles and groups").click();
  await expect.element(dialog().getByRole("alert")).toHaveTextContent("What this reader sees could not be loaded.");
  await press("Retry");
  const seen = dialog().getByRole("group", { name: "What this reader sees" });
  await expect.element(seen).toBeVisible();
  await dialog().getByRole("combobox", { name: "Roles" }).click();
  await page.getByRole("option", { name: "hr", exact: true }).click();
  await userEvent.keyboard("{Escape}");
  await dialog().getByRole("tab", { name: "Rows" }).click();
  await textbox("Value of region").fill("south");
  await dialog().getByRole("tab", { name: "See it as" }).click();
  await expect
    .element(
      dialog()
        .getByRole("button", { name: "Remove hr" })
        .or(dialog().getByText("hr", { exact: true }))
        .first(),
    )
    .toBeVisible();
  await expect.element(seen).toBeVisible();
});

it("is accessible where readers are chosen", async () => {
  await openAccess({ tab: "readers" });
  await expect.element(dialog().getByText("Everyone who is signed in")).toBeVisible();
  await expectAccessible({ within: ["[role=dialog]"] });
});

it("saves by Ctrl+Enter, and not by Enter in a box of choices", async () => {
  const { stored } = await openAccess({ access: ruled({ filters: [{ name: "region", operator: "=", value: "north" }] }), tab: "rows" });
  await textbox("Value of region").fill("south");
  await dialog().getByRole("tab", { name: "Columns" }).click();
  await dialog().getByRole("textbox", { name: "Filter columns" }).click();
  await userEvent.keyboard("sal{Enter}");
  await expect.element(dialog()).toBeVisible();
  await userEvent.keyboard("{Control>}{Enter}{/Control}");
  await expect.element(dialog()).not.toBeInTheDocument();
  expect(stored).toHaveLength(1);
  expect(stored[0]?.["access"]).toEqual(ruled({ filters: [{ name: "region", operator: "=", value: "south" }] }));
});
