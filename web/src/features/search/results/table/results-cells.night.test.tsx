import type { CellValue } from "@fairway/contract/search";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectText } from "#testing/assertions.ts";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { focus, press } from "#testing/keyboard.ts";
import { gateway } from "#testing/open-screen.tsx";
import { act, alterColumns, alterRows, cell, header, katrina, openResults, shownColumns } from "#testing/results.ts";

beforeEach(() => serveDatasets(gateway));

it("handles column names that collide with object properties", async () => {
  alterColumns(() => []);
  const names = ["__proto__", "constructor", "toString", "<b>bold</b>", "a.b", 'quo"te'];
  alterRows((rows) =>
    rows.slice(0, 2).map((row, index) => {
      const entries = names.map((name): [string, CellValue] => [name, `${name} of ${index}`]);
      return Object.fromEntries([...entries, ["name", row["name"] ?? null]]);
    }),
  );
  await openResults(katrina);
  expect(shownColumns()).toEqual([...names, "name"]);
  for (const name of names) await expectText(cell(2, name), `${name} of 1`);
  const width = (name: string) => header(name).element().getBoundingClientRect().width;
  for (const name of ["__proto__", "constructor"]) {
    const before = width(name);
    await header(name)
      .getByRole("button", { name: `${name} column menu` })
      .click();
    await expect.element(page.getByRole("menuitem", { name: "Reset width" })).toBeDisabled();
    await press("Escape");
    await expect.element(page.getByRole("menu")).not.toBeInTheDocument();
    await focus(header(name));
    await press("Shift+ArrowRight");
    await expect.poll(() => width(name)).toBe(before + 16);
  }
  await act("Show Column Visibility");
  await page.getByRole("checkbox", { name: "__proto__", exact: true }).click();
  await expect.element(header("__proto__")).not.toBeInTheDocument();
});
