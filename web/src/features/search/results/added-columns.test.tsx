import { beforeEach, expect, it } from "vitest";
import { openScreen } from "#testing/open-screen.tsx";
import { alterRows, cell, katrina, openResults, shownColumns } from "#testing/results.ts";
import { choose, dialog, sent, serve } from "#testing/added-columns.ts";

beforeEach(() => {
  serve();
  alterRows((rows) => rows.slice(0, 3));
});

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

it("offers nobody else to keep a column in the dataset", async () => {
  await openResults(katrina);
  await choose("wind", "Add column …");
  await expect.element(dialog("Add column").getByRole("button", { name: "Add column" })).toBeVisible();
  expect(dialog("Add column").getByRole("button", { name: "Keep in the dataset" }).elements()).toHaveLength(0);
});
