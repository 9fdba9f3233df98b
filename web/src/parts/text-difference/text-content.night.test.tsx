import { expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { expectCount, expectTexts, isWithinWindow } from "#testing/assertions.ts";
import "#testing/css-locator.ts";
import { press } from "#testing/keyboard.ts";
import { open, grid } from "#testing/text-contents.tsx";

const line = (number: number) => page.css(`[data-line="${number}"]`);
const minified = JSON.stringify({ name: "Log", list: Array.from({ length: 500 }, (_, index) => `value ${index}`) });

it("draws only the visible lines of a large text, and finds the others", async () => {
  await open(Array.from({ length: 200_000 }, (_, index) => `line ${index + 1} of many`).join("\n"));
  expect(page.css("[data-line]").elements().length).toBeLessThan(150);
  await expect.element(grid).toHaveAttribute("aria-rowcount", "200001");
  await press("Control+f");
  await userEvent.keyboard("line 123456 of");
  await expect.element(line(123_456)).toBeVisible();
  await expect.poll(() => isWithinWindow(line(123_456))).toBe(true);
  await expectTexts(page.css("mark"), ["line 123456 of"]);
});

it("shows minified JSON as it is on request, with what is below its only line, and no control", async () => {
  await open(minified, {
    gutter: (at) => <button type="button">{`at ${at}`}</button>,
    below: new Map([
      [400, "a thread"],
      [300, "another"],
    ]),
  });
  await page.getByRole("button", { name: "View options" }).click();
  await page.getByLabelText("Format JSON").click();
  await press("Escape");
  await expect.element(page.getByText("1 line", { exact: true })).toBeVisible();
  await expect.element(page.getByText("a thread")).toBeVisible();
  await expect.element(page.getByText("another")).toBeVisible();
  await line(1).click();
  await expectCount(page.getByRole("button", { name: /^at/ }), 0);
  expect(page.css("code").element().textContent).toBe(minified.slice(0, 1_000));
  await press("Control+f");
  await userEvent.keyboard("value 499");
  await expectTexts(page.css("mark[data-current]"), ["value 499"]);
  await page.getByRole("button", { name: "View options" }).click();
  await page.getByLabelText("Format JSON").click();
  await expect.element(page.getByText("505 lines")).toBeVisible();
});
