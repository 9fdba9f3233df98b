import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectText } from "#testing/assertions.ts";
import { copied, focus, press } from "#testing/keyboard.ts";
import { alterRows, katrina, openResults } from "#testing/results.ts";
import { openRaw, raw } from "#testing/raw-results.ts";

const line = (number: number) => raw().css(`[role=row][aria-rowindex="${number}"]`);
const lines = () => Number(raw().element().getAttribute("aria-rowcount"));

it("folds and unfolds rows by mouse and keyboard", async () => {
  await openRaw();
  const all = lines();
  await line(2).getByRole("button", { name: "Fold line 2" }).click();
  await expect.element(line(2)).toHaveTextContent("{…}");
  await expect.element(line(2)).toHaveAttribute("aria-expanded", "false");
  await expect.element(raw()).toHaveAttribute("aria-rowcount", String(all - 16));
  await focus(line(2));
  await press("ArrowRight");
  await expect.element(raw()).toHaveAttribute("aria-rowcount", String(all));
  await expect.element(line(2)).toHaveFocus();
  await page.getByRole("button", { name: "Fold all", exact: true }).click();
  await expect.element(raw()).toHaveAttribute("aria-rowcount", "27");
  await page.getByRole("button", { name: "Unfold all" }).click();
  await expect.element(raw()).toHaveAttribute("aria-rowcount", String(all));
});

it("copies the path and value of a line", async () => {
  await openRaw();
  await line(4).hover();
  await line(4).getByRole("button", { name: "Copy path" }).click();
  await expect.poll(copied).toBe("[0].name");
  await line(4).getByRole("button", { name: "Copy value" }).click();
  await expect.poll(copied).toBe("Katrina");
});

it("counts matches, steps through them and unfolds hidden ones", async () => {
  alterRows((rows) => rows.map((row, index) => (index === 3 || index === 20 ? { ...row, name: `needle ${index}` } : row)));
  await openRaw();
  await page.getByRole("button", { name: "Fold all", exact: true }).click();
  const find = page.getByRole("textbox", { name: "Find in loaded rows" });
  await find.fill("NEEDLE");
  await expectText(page.getByRole("search").getByRole("status"), "1 of 2");
  await expect.element(raw().getByText('"needle 3"')).toBeInViewport();
  await press("Enter", find);
  await expectText(page.getByRole("search").getByRole("status"), "2 of 2");
  await expect.element(raw().getByText('"needle 20"')).toBeInViewport();
  await press("Shift+Enter", find);
  await expectText(page.getByRole("search").getByRole("status"), "1 of 2");
  await find.fill("nothing like it");
  await expectText(page.getByRole("search").getByRole("status"), "no match");
});

it("shows, scrolls and searches a 10 MB result", async () => {
  alterRows((rows) => {
    const wide = rows[0] ?? {};
    const many = Array.from({ length: 33_000 }, (_, index) => ({ ...wide, season: index, name: index === 32_998 ? "needle" : "Katrina" }));
    expect(JSON.stringify(many).length).toBeGreaterThan(10_000_000);
    return many;
  });
  await openRaw();
  await expect.element(page.getByText("33,000 rows loaded")).toBeVisible();
  await page.getByRole("textbox", { name: "Find in loaded rows" }).fill("needle");
  await expectText(page.getByRole("search").getByRole("status"), "1 of 1");
  await expect.element(raw().css("mark").filter({ hasText: "needle" })).toBeInViewport();
  raw().element().scrollTo({ top: raw().element().scrollHeight });
  await expect.element(line(lines())).toHaveTextContent("]");
});

it("highlights matches in the table and scrolls to them", async () => {
  alterRows((rows) => rows.map((row, index) => (index === 24 ? { ...row, track_path: "a needle" } : row)));
  await openResults(katrina);
  await press("/");
  const find = page.getByRole("textbox", { name: "Find in loaded rows" });
  await expect.element(find).toHaveFocus();
  await find.fill("needle");
  await expectText(page.getByRole("search").getByRole("status"), /^1 of \d$/);
  await expect.element(page.getByRole("grid").css("mark").filter({ hasText: "needle" }).first()).toBeInViewport();
});
