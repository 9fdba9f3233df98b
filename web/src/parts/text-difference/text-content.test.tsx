import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectCount, expectTexts } from "#testing/assertions.ts";
import "#testing/css-locator.ts";
import { press } from "#testing/keyboard.ts";
import { open, grid } from "#testing/text-contents.tsx";

const line = (number: number) => page.css(`[data-line="${number}"]`);
const minified = JSON.stringify({ name: "Log", list: Array.from({ length: 500 }, (_, index) => `value ${index}`) });

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

it("does not offer to format what has short lines", async () => {
  await open('{"a":1}');
  await page.getByRole("button", { name: "View options" }).click();
  await expect.element(page.getByText("Keys")).toBeVisible();
  await expectCount(page.getByLabelText("Format JSON"), 0);
});
