import { beforeEach, describe, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectCount, expectText, expectTexts, isWithinWindow, textsOf } from "#testing/assertions.ts";
import "#testing/css-locator.ts";
import { press } from "#testing/keyboard.ts";
import { skipPauses } from "#testing/pauses.ts";
import { openFilled } from "#testing/text-views.tsx";
import { TextDifference } from "./text-difference.tsx";
import { numbered, open, choose, line, names, grid } from "#testing/text-differences.tsx";

const changed = (side: "before" | "after") => page.css(`[data-side="${side}"]`);

beforeEach(() => localStorage.removeItem("fairway.textDifferenceLayout"));

describe("differences", () => {
  const before = '{\n  "Read Timeout": "15 secs",\n  "Method": "GET"\n}';
  const after = '{\n  "Read Timeout": "60 secs",\n  "Retry Count": "3",\n  "Method": "GET"\n}';

  it("are shown in one column on request, and the choice is remembered", async () => {
    await open(before, after);
    await choose("Unified");
    await expectTexts(page.css("[data-kind]"), [
      "11{",
      '2−removed: "Read Timeout": "15 secs",',
      '2+added: "Read Timeout": "60 secs",',
      '3+added: "Retry Count": "3",',
      '34 "Method": "GET"',
      "45}",
    ]);
    await open(before, after);
    await expectCount(page.css("[data-kind=changed]"), 0);
    expect(localStorage.getItem("fairway.textDifferenceLayout")).toBe("unified");
  });

  it("are always shown in one column on a narrow page, without scrolling sideways", async () => {
    await page.viewport(390, 844);
    await open(`${before}\n`, `${after}\n${"long ".repeat(100)}`);
    await expect.poll(() => page.css("[data-kind=changed]").elements().length).toBe(0);
    await expectCount(page.css("[data-kind=removed]"), 1);
    expect(document.documentElement.scrollWidth).toBe(390);
    expect(grid.element().scrollWidth).toBe(grid.element().clientWidth);
    await page.getByRole("button", { name: "View options" }).click();
    await expect.element(page.getByLabelText("Ignore white space")).toBeVisible();
    await expectCount(page.getByLabelText("Side by side"), 0);
  });

  it("are accessible", async () => {
    await open(before, `${after}\n\u202E`, { below: new Map([[3, <p key="thread">A thread</p>]]) });
    await expectAccessible();
    await choose("Unified");
    await page.getByRole("button", { name: "Find" }).click();
    await userEvent.keyboard("Timeout");
    await expectCount(page.css("mark"), 2);
    await page.getByRole("button", { name: "View options" }).click();
    await expectAccessible();
  });

  it("of equal texts are none", async () => {
    await open(before, before);
    await expect.element(page.getByText("Both are the same.")).toBeVisible();
    await expectCount(page.getByRole("button", { name: "Next change" }), 0);
    await page.getByRole("button", { name: "Show 4 unchanged lines" }).click();
    await expectCount(page.css("[data-kind=same]"), 4);
  });

  it("in what cannot be seen are named", async () => {
    await open("a\nb", "a\u200B\nb\n");
    await expectTexts(page.css("ins"), ["aU+200B", "b"]);
    await expectTexts(page.css("[data-side=after] > span:last-child"), ["no line break at the end"].slice(1).concat("line break LF"));
  });
});

describe("the comparison", () => {
  it("offers to try again when the worker fails", async () => {
    const failing = vi.spyOn(Worker.prototype, "postMessage").mockImplementation(function fail(this: Worker) {
      this.dispatchEvent(new ErrorEvent("error", { cancelable: true }));
    });
    vi.spyOn(console, "warn").mockImplementation(() => {});
    skipPauses(500);
    openFilled(<TextDifference label="Differences" names={names} before="a" after="b" />);
    await expect.element(page.getByRole("alert")).toHaveTextContent("The texts could not be compared.");
    failing.mockRestore();
    await page.getByRole("button", { name: "Retry" }).click();
    await expectTexts(page.css("ins"), ["b"]);
  });

  it("ignores white space and moved positions on request, and says so", async () => {
    const flow = (x: number, space: string) => `{\n${space}"position": {\n"x": ${x},\n"y": 0\n},\n"name": "Log"\n}`;
    await open(flow(1, ""), flow(2, "\t"), { canIgnorePositions: true });
    await expectCount(changed("after"), 2);
    await choose("Ignore white space");
    await expectCount(changed("after"), 1);
    await choose("Ignore moved positions");
    await expect.element(page.getByText("Both are the same.")).toBeVisible();
    await expectText(page.getByRole("note"), "Differences in white space and moved positions are ignored.");
  });

  it("offers to ignore positions only of flows", async () => {
    await open("a", "b");
    await page.getByRole("button", { name: "View options" }).click();
    await expect.element(page.getByLabelText("Ignore white space")).toBeVisible();
    await expectCount(page.getByLabelText("Ignore moved positions"), 0);
  });
});

describe("unchanged lines", () => {
  const before = numbered(200);
  const after = numbered(200, (at) => (at === 100 ? "another line" : undefined));

  it("with something below, and those asked for, are never folded", async () => {
    await open(before, after, { below: new Map([[20, "a thread"]]), unfolded: [40] });
    await expect.element(line(20)).toBeVisible();
    await expect.element(page.getByText("a thread")).toBeVisible();
    await expect.element(line(43)).toBeVisible();
    await expectCount(line(44), 0);
  });

  it("are unfolded for a target, which is scrolled to, focused and highlighted", async () => {
    const [many, manyChanged] = [numbered(5_000), numbered(5_000, (at) => (at === 1 ? "x" : undefined))];
    await open(many, manyChanged, { target: { line: 4_000 } });
    await expect.element(line(4_000)).toHaveFocus();
    await expect.element(line(4_000)).toHaveAttribute("data-target");
    expect(isWithinWindow(line(4_000))).toBe(true);
    await expectCount(page.css("[data-target]"), 1);
  });

  it("a target beyond the end is ignored", async () => {
    await open(before, after, { target: { line: 999 } });
    await expect.element(line(100)).toBeVisible();
    await expectCount(page.css("[data-target]"), 0);
  });

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

  it.each([
    ["N", "n", "p"],
    ["Alt and arrows", "Alt+ArrowDown", "Alt+ArrowUp"],
  ])("are reached by %s, also among all lines", async (_, next, previous) => {
    await open(before, after);
    await choose("Show all unchanged lines");
    await press(next, grid);
    await expect.element(line(500)).toHaveFocus();
    await press(next);
    await expect.element(line(1_500)).toHaveFocus();
    expect(isWithinWindow(line(1_500))).toBe(true);
    await press(previous);
    await expect.element(line(500)).toHaveFocus();
  });

  it("are not reached by letters that are typed into what the caller shows", async () => {
    await open(before, after, { below: new Map([[500, <textarea key="draft" aria-label="Comment" />]]) });
    await page.getByLabelText("Comment").fill("");
    await press("n", page.getByLabelText("Comment"));
    await expect.element(page.getByLabelText("Comment")).toHaveValue("n");
    await expect.element(page.getByText("3 changes")).toBeVisible();
  });

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

describe("lines", () => {
  it("are reached by arrow keys, and offer the caller's control to the active one and the one under the pointer", async () => {
    const asked: number[] = [];
    const control = (at: number) => <button type="button" aria-label={`Comment on line ${at}`} onClick={() => asked.push(at)} />;
    await open("a\nb\nc", "a\nB\nc\nd", { gutter: control });
    await expectCount(page.getByRole("button", { name: /^Comment/ }), 0);
    await press("ArrowDown", grid);
    await press("ArrowDown");
    await expect.element(line(2)).toHaveFocus();
    await expectCount(page.getByRole("button", { name: /^Comment/ }), 1);
    await press("Tab");
    await expect.element(page.getByRole("button", { name: "Comment on line 2" })).toHaveFocus();
    await press("Enter");
    await line(4).hover();
    await page.getByRole("button", { name: "Comment on line 4" }).click();
    expect(asked).toEqual([2, 4]);
    await press("End");
    expect(document.activeElement?.getAttribute("aria-label")).toBe("Comment on line 4");
  });

  it("move by pages and to both ends", async () => {
    await open("", numbered(2_000));
    await press("End", grid);
    await expect.element(line(2_000)).toHaveFocus();
    await press("PageUp");
    expect(Number(document.activeElement?.getAttribute("data-line"))).toBeGreaterThan(1_900);
    expect(Number(document.activeElement?.getAttribute("data-line"))).toBeLessThan(1_990);
    await press("Home");
    await expect.element(line(1)).toHaveFocus();
  });

  it("of 5,000,000 characters are cut around what changed, and show more on request", async () => {
    const long = (word: string) => `${"a ".repeat(1_250_000)}${word}${" b".repeat(1_250_000)}`;
    await open(long("old"), long("new"));
    await expectTexts(page.css("del [data-changed]"), ["old"]);
    await expectTexts(page.css("ins [data-changed]"), ["new"]);
    expect(page.css("ins code").element().textContent.length).toBeLessThan(2_000);
    await page
      .css("ins")
      .getByRole("button", { name: /more characters after/ })
      .click();
    await expect.poll(() => page.css("ins code").element().textContent.length).toBeGreaterThan(10_000);
    await page
      .css("ins")
      .getByRole("button", { name: /more characters before/ })
      .click();
    await expect.poll(() => page.css("ins code").element().textContent.length).toBeGreaterThan(20_000);
  });

  it("wrap, and rows below them stay below", async () => {
    await open("", `${"word ".repeat(180)}\nnext`);
    await expect.poll(() => line(1).element().getBoundingClientRect().height).toBeGreaterThan(40);
    expect(line(2).element().getBoundingClientRect().top).toBe(line(1).element().getBoundingClientRect().bottom);
  });

  it("have the colors of their syntax", async () => {
    await open("", '{\n  "name": "Log",\n  "size": 12,\n  "on": true\n}');
    await expectTexts(page.css("[data-token=attr]"), ['"name"', '"size"', '"on"']);
    await expectTexts(page.css("[data-token=string]"), ['"Log"']);
    await expectTexts(page.css("[data-token=number]"), ["12"]);
    await open("", "<flow id='1'>\n<!-- note -->\n</flow>");
    await expectTexts(page.css("[data-token=name]"), ["flow", "flow"]);
    await open("", "name: Log\nsize: 12");
    await expectTexts(page.css("[data-token=attr]"), ["name:", "size:"]);
    await open("", "name: Log", { syntax: "text" });
    await expectTexts(page.css("ins"), ["name: Log"]);
    await expectCount(page.css("[data-token]"), 0);
  });
});

describe("find", () => {
  const before = numbered(2_000, (at) => (at === 30 ? "only Before" : undefined));
  const after = numbered(2_000, (at) => (at === 30 ? "after" : at === 1_500 ? "needle Needle" : undefined));
  const field = page.getByLabelText("Find in text");

  it("says when nothing matches", async () => {
    await open("a", "b");
    await page.getByRole("button", { name: "Find", exact: true }).click();
    await userEvent.keyboard("xyz");
    await expect.element(page.getByText("no match")).toBeVisible();
    expect(textsOf(page.css("ins"))).toEqual(["b"]);
  });

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
