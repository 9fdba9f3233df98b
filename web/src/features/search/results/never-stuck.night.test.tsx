import { search } from "@fairway/contract/search";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectText } from "#testing/assertions.ts";
import { gateway } from "#testing/open-screen.tsx";
import { cell, expectSearch, katrina, openResults } from "#testing/results.ts";

const applied = (text: string) => ({ name: `Edit filter ${text}`, exact: true }) as const;

for (const [outcome, code, message] of [
  ["is refused as busy", "engine-busy", "The query engine is busy: too many queries are waiting. Try again in a moment."],
  ["times out", "timed-out", "The query took longer than 60 s and was stopped. Narrow it with a time range or more filters."],
] as const) {
  it(`reports a search that ${outcome}, keeps its filters and can retry`, async () => {
    await openResults(katrina);
    gateway.refuse(search.run, code, message, { times: 1 });
    await cell(1, "status").hover();
    await page.getByRole("button", { name: "Keep only status tropical depression" }).click();
    await expect.element(page.getByText(message)).toBeVisible();
    await expect.element(page.getByRole("button", applied("name = Katrina"))).toBeVisible();
    await expect.element(page.getByRole("button", applied("status = tropical depression"))).toBeVisible();
    await page.getByRole("button", { name: "Retry" }).click();
    await expectSearch(
      expect.objectContaining({
        filters: [
          { name: "name", operator: "=", value: "Katrina" },
          { name: "status", operator: "=", value: "tropical depression" },
        ],
      }),
    );
    await expectText(cell(1, "status"), /tropical depression/);
  });
}

it("drops the late response of a superseded search", async () => {
  await openResults(katrina);
  const release = gateway.hold(search.run);
  await cell(1, "status").hover();
  await page.getByRole("button", { name: "Keep only status tropical depression" }).click();
  await page.getByRole("button", { name: "Remove filter status" }).click();
  const dropped = () => gateway.received(search.run).find(({ body }) => body.filters.length === 2);
  await expect.poll(() => dropped()?.signal?.aborted).toBe(true);
  release();
  await expect.element(page.getByText("1 – 25 of 68 results")).toBeVisible();
  await expect.element(page.getByRole("button", applied("status = tropical depression"))).not.toBeInTheDocument();
});
