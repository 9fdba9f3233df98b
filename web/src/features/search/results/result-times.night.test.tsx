import { preferences } from "@fairway/contract/preferences";
import { beforeEach, expect, it } from "vitest";
import { type Locator, page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectCount, expectText } from "#testing/assertions.ts";
import { collectDownloads } from "#testing/files.ts";
import { press } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { act, alterColumns, alterRows, cell, header, katrina, openResults, searches, searchLink } from "#testing/results.ts";
import { expectTimes, setBrowserZone } from "#testing/result-times.ts";

// In seconds: noon UTC on a summer and a winter day, and a time before time zones existed.
const seconds = [Date.UTC(2005, 7, 29, 12), Date.UTC(2005, 0, 15, 12), Date.UTC(1851, 5, 25)].map((epochMs) => epochMs / 1_000);
const inUtc = ["08/29/2005, 12:00:00 PM", "01/15/2005, 12:00:00 PM", "06/25/1851, 12:00:00 AM"] as const;
const inNewYork = ["08/29/2005, 08:00:00 AM", "01/15/2005, 07:00:00 AM", "06/24/1851, 07:03:58 PM"] as const;
const zone = (name: string): Locator => page.getByRole("button", { name: `Times in ${name}`, exact: true });

beforeEach(() => alterRows((rows) => rows.map((row, index) => ({ ...row, time: seconds[index] ?? row["time"] ?? null }))));

it("remembers the chosen zone per user, which filters never use", async () => {
  await openScreen(searchLink(katrina), { preferred_username: "viewer" });
  await press("Enter", zone("UTC"));
  await expect.element(zone("America/New York")).toHaveFocus();
  await expectTimes(inNewYork);
  await expectAccessible({ within: ["footer"] });
  await openScreen(location.pathname + location.hash, { preferred_username: "viewer" });
  await expectTimes(inNewYork);
  await expect.element(zone("America/New York")).toBeVisible();
  await act("Rerun Search");
  await expect.poll(searches).toHaveLength(3);
  expect(searches().at(-1)?.filters).toEqual([{ name: "name", value: "Katrina", operator: "=" }]);

  gateway.answer(preferences.list, []);
  await openScreen(searchLink(katrina), { sub: "u-editor", preferred_username: "editor" });
  await expectTimes(inUtc);
  await expect.element(zone("UTC")).toBeVisible();
});

it("shows whole days alone, in every zone the same, in rows, details, profiles, filters and files", async () => {
  setBrowserZone("America/Los_Angeles");
  const { saved } = collectDownloads();
  const day = { name: "day", type: "TIMESTAMP_SECONDS", description: "", combined: null, day: true } as const;
  alterColumns((columns) => [day, ...columns]);
  alterRows((rows) => rows.map((row, index) => ({ ...row, day: 1_704_067_200 + index * 86_400, time: seconds[0] ?? null })));
  await openResults(katrina);
  await expectText(cell(1, "day"), "01/01/2024");
  await zone("UTC").click();
  await expectText(cell(1, "time"), "08/29/2005, 05:00:00 AM");
  await expectText(cell(1, "day"), "01/01/2024");
  await expectText(cell(2, "day"), "01/02/2024");

  await header("day").getByRole("button", { name: "day column menu" }).click();
  await page.getByRole("menuitem", { name: "Summary of day" }).click();
  const profile = page.getByRole("dialog", { name: "Summary of day" });
  await profile.getByText("25 loaded rows").click();
  await expectText(profile.getByRole("definition").nth(3), "01/01/2024");
  await expectCount(profile.getByText(/Los Angeles|AM|PM/), 0);
  await press("Escape");
  await expect.element(profile).not.toBeInTheDocument();

  await act("Export Current Results");
  await page.getByRole("dialog", { name: "Export Current Results" }).getByRole("button", { name: "CSV", exact: true }).click();
  await expect.poll(() => saved.length).toBe(1);
  expect((await saved[0]?.blob.text())?.split("\r\n")[1]).toMatch(/^2024-01-01,/);

  await cell(1, "day").click();
  const details = page.getByRole("region", { name: "Row details" });
  await expect.element(details.getByText("01/01/2024", { exact: true })).not.toHaveAttribute("title");
  await details.getByRole("button", { name: "Keep only this day" }).click();
  await expect.poll(() => searches().at(-1)?.filters.at(-1)).toEqual({ name: "day", operator: "=", value: "2024-01-01" });
  await page.getByRole("button", { name: "Edit filter day = 01/01/2024" }).click();
  const value = page.getByRole("dialog", { name: "Edit Filter" }).getByRole("textbox", { name: "Value", exact: true });
  await expect.element(value).toHaveValue("01/01/2024");
  await value.fill("2024-01-02");
  await press("Tab");
  await expect.element(value).toHaveValue("01/02/2024");
});
