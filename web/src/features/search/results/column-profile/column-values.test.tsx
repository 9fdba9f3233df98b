import { columnValues } from "@fairway/contract/column-values";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectText, textsOf } from "#testing/assertions.ts";
import { gateway } from "#testing/open-screen.tsx";
import { skipPauses } from "#testing/pauses.ts";
import { alterRows, katrina, openResults, searches } from "#testing/results.ts";
import { openProfile, profile } from "#testing/column-values.ts";

beforeEach(async () => {
  skipPauses(250);
  // Columns out of view are not rendered; this viewport shows all of them.
  await page.viewport(2560, 500);
});

it("profiles all matching rows at once and the loaded rows on request, and filters by a value", async () => {
  const histogram = [
    { from: 30, to: 90, rows: 40 },
    { from: 90, to: 150, rows: 28 },
  ];
  const top = [{ value: 30, rows: 12 }];
  gateway.answer(columnValues.profile, { rows: 68, empty: 0, distinct: 19, min: 30, max: 150, top, histogram });
  alterRows((rows) => rows.slice(0, 2));
  await openResults(katrina);
  await openProfile("wind");
  const dialog = profile("wind");
  await expect.poll(() => textsOf(dialog.getByRole("definition"))).toEqual(["68", "0 (0%)", "19", "30", "150"]);
  await expect.element(dialog.getByRole("radio", { name: "All rows" })).toBeChecked();
  await dialog.getByText("2 loaded rows").click();
  await expectText(dialog.getByRole("definition").first(), "2");
  await dialog.getByText("All rows", { exact: true }).click();
  await expectText(dialog.getByRole("definition").first(), "68");
  expect(gateway.received(columnValues.profile).map(({ params, body }) => [params.column, body])).toEqual([
    ["wind", { filters: [{ name: "name", operator: "=", value: "Katrina" }] }],
  ]);
  const steps = textsOf(dialog.getByRole("region", { name: "Distribution" }).getByRole("listitem"));
  expect(steps.map((text) => Number(/: ([\d,]+) rows/.exec(text)?.[1]))).toEqual([40, 28]);
  await dialog.getByRole("button", { name: "Leave out wind 30" }).click();
  await expect.poll(() => searches().at(-1)?.filters.at(-1)).toEqual({ name: "wind", operator: "<>", value: 30 });
  await expect.element(dialog).not.toBeInTheDocument();

  // Different filters require a new profile.
  await openProfile("wind");
  await expect.poll(() => gateway.received(columnValues.profile).at(-1)?.body.filters.length).toBe(2);
});
