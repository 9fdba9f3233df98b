import type { Column } from "@fairway/contract/columns";
import { search } from "@fairway/contract/search";
import { beforeEach, expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { demoDatasets, serveDatasets } from "#testing/demo-datasets.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { alterRows, cell, header, katrina, openResults, shownColumns } from "#testing/results.ts";

beforeEach(() => {
  // Few columns: those far to the right are not in the page.
  const isShown = ({ name }: Column) => ["name", "season", "wind"].includes(name);
  const served = demoDatasets().map(({ description, rows }) => ({
    description: {
      ...description,
      assists: [...description.assists, "BREAKDOWN" as const],
      schema: { columns: description.schema.columns.filter(isShown) },
    },
    rows,
  }));
  serveDatasets(gateway, served);
  alterRows((rows) => rows.slice(0, 3));
});

const dialog = (name: string) => page.getByRole("dialog", { name });
const sent = () => gateway.received(search.run).at(-1)?.body?.computed;

async function choose(column: string, entry: string): Promise<void> {
  await userEvent.hover(header(column));
  await page.getByRole("button", { name: `${column} column menu` }).click();
  await page.getByRole("menuitem", { name: entry, exact: true }).click();
}

it("a search gets a computed column from a column's menu, keeps it in its address, changes and removes it", async () => {
  await openResults(katrina);
  await choose("wind", "Add column …");
  const added = dialog("Add column");
  await added.getByRole("textbox", { name: "Name" }).fill("force");
  await added.getByRole("textbox", { name: "Formula" }).fill("if(wind > 64, 'strong', 'weak')");
  await added.getByRole("button", { name: "Add column" }).click();
  await expect.poll(sent).toEqual([{ name: "force", expression: "if(wind > 64, 'strong', 'weak')" }]);
  await expect.poll(() => shownColumns()).toContain("force");
  await expect.element(cell(1, "force")).toBeInTheDocument();

  const address = location.pathname + location.hash;
  await openScreen("/search");
  await openScreen(address.replace(/search\/[^#]+/, `search/${crypto.randomUUID()}`));
  await expect.poll(() => shownColumns()).toContain("force");
  expect(sent()).toEqual([{ name: "force", expression: "if(wind > 64, 'strong', 'weak')" }]);

  await choose("force", "Change formula …");
  await dialog("Change force").getByRole("textbox", { name: "Formula" }).fill("if(wind > 100, 'strong', 'weak')");
  await dialog("Change force").getByRole("button", { name: "Save" }).click();
  await expect.poll(sent).toEqual([{ name: "force", expression: "if(wind > 100, 'strong', 'weak')" }]);

  await choose("force", "Remove column");
  await expect.poll(sent).toBeUndefined();
  await expect.poll(() => shownColumns()).not.toContain("force");
});
