import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { distributions } from "@fairway/contract/distributions";
import { alterDescription, storms } from "#testing/datasets-screen.ts";
import { focus, press } from "#testing/keyboard.ts";
import { gateway } from "#testing/open-screen.tsx";
import { grid, openResults } from "#testing/results.ts";

const rail = () => page.getByRole("navigation", { name: "Main" });

beforeEach(() => {
  alterDescription(storms, (description) => ({ ...description, assists: [...description.assists, "PROFILE"] }));
  const day = (index: number) => Date.UTC(2005, 7, 23 + index);
  gateway.answer(distributions.overTime, {
    unit: "day",
    size: 1,
    buckets: Array.from({ length: 8 }, (_, index) => ({ startMs: day(index), endMs: day(index + 1), rows: index + 1 })),
    newestMs: day(8),
  });
});

const nameOf = (element: Element | null): string =>
  (element?.getAttribute("aria-label") ?? element?.textContent ?? "").replaceAll(/\s+/g, " ").trim();

/** The stops of Tab from the skip link to the table of results. */
async function stopsBeforeTable(): Promise<string[]> {
  await focus(page.getByRole("link", { name: "Skip to content" }));
  const stops: string[] = [];
  while (stops.length < 80) {
    await press("Tab");
    if (grid().element().contains(document.activeElement)) return stops;
    stops.push(nameOf(document.activeElement));
  }
  throw new Error(`Tab did not reach the table: ${stops.join(" | ")}`);
}

it("rail, panel and filters are one stop of Tab each before the table of results", async () => {
  for (const wind of [130, 135, 140, 145, 150])
    await openResults({
      category: storms[0],
      dataset: storms[1],
      filters: [
        ["name", "=", "Katrina"],
        ["wind", ">=", wind],
      ],
    });
  await expect.element(page.getByRole("slider", { name: "Start of the selected time" })).toBeVisible();
  const before = [
    "Fairway, go to Datasets",
    "Datasets",
    "Find in loaded rows",
    "Actions",
    "", // The views.
    "Type a filter",
    "Edit filter name = Katrina",
    "Rows over time",
    "Start of the selected time",
    "End of the selected time",
  ];
  expect(await stopsBeforeTable()).toEqual(before);

  // The arrow keys reach the others, and Tab comes back to the last one.
  await press("ArrowDown", rail().getByRole("link", { name: "Fairway, go to Datasets" }));
  await expect.element(rail().getByRole("button", { name: "Search" })).toHaveFocus();
  await press("End");
  await expect.element(rail().getByRole("button", { name: "Logout" })).toHaveFocus();
  await press("ArrowDown");
  await press("ArrowUp");
  await press("ArrowUp");
  await expect.element(rail().getByRole("link", { name: "Ada Lovelace" })).toHaveFocus();
  await press("ArrowRight", page.getByRole("button", { name: "Edit filter name = Katrina" }));
  await expect.element(page.getByRole("button", { name: "Remove filter Storm name" })).toHaveFocus();
  expect(await stopsBeforeTable()).toEqual(before.with(0, "ALAda Lovelace").with(6, "Remove filter Storm name"));
});
