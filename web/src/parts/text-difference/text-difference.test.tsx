import { beforeEach, describe, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { useState } from "react";
import { expectCount, expectText, expectTexts } from "#testing/assertions.ts";
import "#testing/css-locator.ts";
import { openFilled } from "#testing/text-views.tsx";
import { TextDifference } from "./text-difference.tsx";
import { open, line, names } from "#testing/text-differences.tsx";

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
