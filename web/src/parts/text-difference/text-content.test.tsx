import { expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectCount, expectTexts, isWithinWindow } from "#testing/assertions.ts";
import "#testing/css-locator.ts";
import { press } from "#testing/keyboard.ts";
import { openFilled } from "#testing/text-views.tsx";
import { TextContent } from "./text-content.tsx";

const grid = page.getByRole("grid", { name: "Content" });
const line = (number: number) => page.css(`[data-line="${number}"]`);
const minified = JSON.stringify({ name: "Log", list: Array.from({ length: 500 }, (_, index) => `value ${index}`) });

async function open(text: string, more: Partial<Parameters<typeof TextContent>[0]> = {}): Promise<void> {
  openFilled(<TextContent label="Content" text={text} {...more} />);
  await expect.element(grid).toBeVisible();
}

it("shows a text with its lines, without folds and changes", async () => {
  await open("<flow>\n\n</flow>\n", { tools: <span>Iteration 1</span> });
  await expectTexts(page.css("[data-line]"), ["1<flow>", "2", "3</flow>"]);
  await expect.element(page.getByText("3 lines")).toBeVisible();
  await expect.element(page.getByText("Iteration 1")).toBeVisible();
  await expectCount(page.getByRole("button", { name: "Next change" }), 0);
  await expectCount(page.css("ins, del"), 0);
  await expectAccessible();
});

it("shows an empty text as one without lines", async () => {
  await open("");
  await expect.element(page.getByText("0 lines")).toBeVisible();
  await press("ArrowDown", grid);
  await expectCount(page.css("[data-line]"), 0);
});

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

it("formats minified JSON, whose formatted lines are those of the caller", async () => {
  await open(minified, {
    gutter: (at) => <button type="button">{`at ${at}`}</button>,
    below: new Map([[400, "a thread"]]),
    target: { line: 400 },
  });
  await expect.element(line(400)).toHaveFocus();
  await expectTexts(line(400).getByRole("gridcell"), ['"value 396",']);
  await expect.element(page.getByRole("button", { name: "at 400" })).toBeVisible();
  await expect.element(page.getByText("a thread")).toBeVisible();
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

it("does not offer to format what has short lines", async () => {
  await open('{"a":1}');
  await page.getByRole("button", { name: "View options" }).click();
  await expect.element(page.getByText("Keys")).toBeVisible();
  await expectCount(page.getByLabelText("Format JSON"), 0);
});
