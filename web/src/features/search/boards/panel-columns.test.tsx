import { search } from "@fairway/contract/search";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { inPanel, openBoard, panel, servePanelData, storms } from "#testing/board-panels.ts";
import { alterColumns, shownColumns } from "#testing/results.ts";
import { gateway } from "#testing/open-screen.tsx";

const computed = [{ name: "twice", expression: "wind * 2" }];
const filters = [
  { name: "name", operator: "=", value: "Katrina" },
  { name: "twice", operator: ">=", value: 200 },
];

beforeEach(() => {
  alterColumns((columns) => columns.filter(({ name }) => ["name", "wind"].includes(name)));
  servePanelData();
});

it("a panel shows the columns that its search computes, and its rows open with them and their filters", async () => {
  await openBoard({ id: "fast", kind: "table", title: "Fast", dataset: storms, query: { filters, computed }, place: inPanel(0, 6) });
  await expect.element(panel("Fast").getByRole("columnheader", { name: "twice" })).toBeVisible();
  expect(gateway.received(search.run).at(-1)?.body).toMatchObject({ filters, computed });
  await page.getByRole("button", { name: "Menu of Fast" }).click();
  await page.getByRole("menuitem", { name: "Open rows" }).click();
  await expect.poll(() => shownColumns()).toContain("twice");
  await expect.element(page.getByRole("group", { name: "Filters applied" })).toHaveTextContent("twice >= 200");
  expect(gateway.received(search.run).at(-1)?.body).toMatchObject({ filters, computed });
});
