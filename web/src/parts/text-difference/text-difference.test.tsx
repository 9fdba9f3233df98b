import { beforeEach, describe, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { useState } from "react";
import { expectCount, expectText, expectTexts, isWithinWindow } from "#testing/assertions.ts";
import "#testing/css-locator.ts";
import { press } from "#testing/keyboard.ts";
import { openFilled } from "#testing/text-views.tsx";
import { TextDifference } from "./text-difference.tsx";
import { numbered, open, choose, line, names, grid } from "#testing/text-differences.tsx";

const changed = (side: "before" | "after") => page.css(`[data-side="${side}"]`);

beforeEach(() => localStorage.removeItem("fairway.textDifferenceLayout"));

describe("differences", () => {
  const before = '{\n  "Read Timeout": "15 secs",\n  "Method": "GET"\n}';
  const after = '{\n  "Read Timeout": "60 secs",\n  "Retry Count": "3",\n  "Method": "GET"\n}';

  it("are shown side by side, with the names of both sides and the changed words", async () => {
    await open(before, after);
    await expectText(page.getByText("added", { exact: false }).first(), /^2 added/);
    await expectTexts(page.getByRole("columnheader"), ["Line in Iteration 3", "Iteration 3", "Line in Iteration 4", "Iteration 4"]);
    await expectTexts(changed("before"), ['−removed: "Read Timeout": "15 secs",']);
    await expectTexts(changed("after"), ['+added: "Read Timeout": "60 secs",', '+added: "Retry Count": "3",']);
    await expectTexts(page.css("del [data-changed]"), ["15"]);
    await expectTexts(page.css("ins [data-changed]"), ["60"]);
    await expectTexts(line(2).getByRole("rowheader"), ["2", "2"]);
    await expectTexts(line(4).getByRole("rowheader"), ["3", "4"]);
  });

  it("never become markup", async () => {
    await open("", '<img src="x" onerror="globalThis.isHit = true"><script>globalThis.isHit = true</script>\n<b>bold</b> &amp;');
    await expectTexts(page.css("ins"), [
      '<img src="x" onerror="globalThis.isHit = true"><script>globalThis.isHit = true</script>',
      "<b>bold</b> &amp;",
    ]);
    await expectCount(page.css("ins :is(img, script, b)"), 0);
    expect("isHit" in globalThis).toBe(false);
  });
});

describe("the comparison", () => {
  it("[FLOW-22] waits for 500 ms, then compares in a worker, and drops what newer texts replace", async () => {
    const posted = vi.spyOn(Worker.prototype, "postMessage");
    const comparisons = () => posted.mock.calls.filter(([message]) => message === "compare").length;
    const ended = vi.spyOn(Worker.prototype, "terminate");
    let show: (text: string) => void = () => {};
    function Changing() {
      const [text, setText] = useState("first");
      show = setText;
      return <TextDifference label="Differences" names={names} before="before" after={text} />;
    }
    // `expect.poll` would let fake time pass.
    const until = async (isSo: () => boolean) => {
      while (!isSo()) await new Promise((resolve) => requestAnimationFrame(resolve));
    };
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    openFilled(<Changing />);
    await until(() => posted.mock.calls.length > 0);
    await vi.advanceTimersByTimeAsync(200);
    // The second comparison never starts, so it goes on until it is ended.
    posted.mockImplementation(() => {});
    show("second");
    await until(() => ended.mock.calls.length > 0);
    await vi.advanceTimersByTimeAsync(499);
    expect(comparisons()).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(comparisons()).toBe(1);
    expect(posted).toHaveBeenLastCalledWith("compare", []);
    posted.mockRestore();
    const again = vi.spyOn(Worker.prototype, "postMessage");
    ended.mockClear();
    show("third");
    await until(() => ended.mock.calls.length > 0);
    await vi.advanceTimersByTimeAsync(500);
    await expectTexts(page.css("ins"), ["third"]);
    expect(again.mock.calls.filter(([message]) => message === "compare")).toHaveLength(1);
    expect(ended).toHaveBeenCalledTimes(2);
  });
});

describe("unchanged lines", () => {
  const before = numbered(200);
  const after = numbered(200, (at) => (at === 100 ? "another line" : undefined));

  it("far from changes are folded, and unfold downward, upward or all at once", async () => {
    await open(before, after);
    await expectTexts(page.css("[role=row] button"), ["", "96 unchanged lines", "", "97 unchanged lines"]);
    await expectCount(line(96), 0);
    await page.getByRole("button", { name: "Show the previous 20 lines" }).click();
    await expect.element(line(77)).toBeVisible();
    await expect.element(line(77)).toHaveFocus();
    await expectCount(line(76), 0);
    await page.getByRole("button", { name: "Show the next 20 lines" }).click();
    await expect.element(line(123)).toBeInTheDocument();
    await page.getByRole("button", { name: "Show 76 unchanged lines" }).click();
    await expect.element(line(1)).toHaveFocus();
    await choose("Show all unchanged lines");
    await expectCount(page.getByRole("button", { name: /unchanged/ }), 0);
    await expect.element(grid).toHaveAttribute("aria-rowcount", "201");
  });
});

describe("changes", () => {
  const before = numbered(3_000);
  const after = numbered(3_000, (at) => (at % 1_000 === 500 ? `other ${at}` : undefined));

  it("are reached by buttons, round and round", async () => {
    await open(before, after);
    await expect.element(page.getByText("3 changes")).toBeVisible();
    const next = page.getByRole("button", { name: "Next change" });
    for (const [index, at] of [500, 1_500, 2_500, 500].entries()) {
      await next.click();
      await expect.element(page.getByText(`change ${(index % 3) + 1} of 3`)).toBeVisible();
      await expect.element(line(at)).toHaveAttribute("tabindex", "0");
      expect(isWithinWindow(line(at))).toBe(true);
    }
    await page.getByRole("button", { name: "Previous change" }).click();
    await expect.element(page.getByText("change 3 of 3")).toBeVisible();
  });
});

describe("find", () => {
  const before = numbered(2_000, (at) => (at === 30 ? "only Before" : undefined));
  const after = numbered(2_000, (at) => (at === 30 ? "after" : at === 1_500 ? "needle Needle" : undefined));
  const field = page.getByLabelText("Find in text");

  it("opens by Ctrl+F, counts matches on both sides, and goes to folded ones", async () => {
    await open(before.replace("line 1500", "needle Needle"), after);
    await press("Control+f");
    await expect.element(field).toHaveFocus();
    await userEvent.keyboard("needle");
    await expect.element(page.getByText("1 of 2")).toBeVisible();
    await expect.element(line(1_500)).toBeVisible();
    expect(isWithinWindow(line(1_500))).toBe(true);
    await expectTexts(page.css("[data-line='1500'] mark[data-current]"), ["needle"]);
    await press("Enter");
    await expectTexts(page.css("[data-line='1500'] mark[data-current]"), ["Needle"]);
    await expect.element(field).toHaveFocus();
    await field.fill("only before");
    await expectTexts(page.css("del mark[data-current]"), ["only Before"]);
    await press("Escape");
    await expect.element(field).toHaveValue("");
    await press("Escape");
    await expectCount(field, 0);
    await expectCount(page.css("mark"), 0);
  });
});
