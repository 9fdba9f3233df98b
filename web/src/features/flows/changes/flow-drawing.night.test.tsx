import { flowDifferences } from "@fairway/contract/flow-differences";
import { expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { expectAccessible, showTheme } from "#testing/accessibility.ts";
import { changesPage, flowNode, openFlowPart } from "#testing/flow-differences.tsx";
import { gateway } from "#testing/open-screen.tsx";
import { FlowDrawingView } from "./flow-drawing.tsx";
import { canvas, components, details, expectColor, iterationProps, open, option, shownAt } from "#testing/flow-drawings.tsx";
import { press } from "#testing/keyboard.ts";
import { takePicture } from "#testing/pixels.ts";

const accent = [10, 98, 127] as const;
const amber = [133, 80, 0] as const;
const path = page.getByRole("navigation", { name: "Process groups" });

it("goes through the changed components of all groups with N and P, or Alt with an arrow", async () => {
  await open();
  await press("n", canvas);
  await expect.element(details.getByRole("heading", { name: "Fetch" })).toBeVisible();
  for (let index = 0; index < 5; index += 1) await press("n");
  await expect.element(canvas).toHaveAccessibleName(/Drawing of parse/);
  await expect.element(details.getByRole("heading", { name: "Split" })).toBeVisible();
  await press("n");
  await expect.element(details.getByRole("heading", { name: "Fetch" })).toBeVisible();
  await press("p");
  await expect.element(details.getByRole("heading", { name: "Split" })).toBeVisible();
  await press("Alt+ArrowDown", components);
  await expect.element(details.getByRole("heading", { name: "Fetch" })).toBeVisible();
  // The list keeps the focus.
  await press("Alt+ArrowUp");
  await expect.element(details.getByRole("heading", { name: "Split" })).toBeVisible();
  await page.getByRole("button", { name: "Previous changed component (P)" }).click();
  await expect.element(canvas).toHaveAccessibleName(/storm-ingest/);
});

it("pans by drag and arrow keys, zooms by wheel, keys and buttons, and fits again", async () => {
  await open();
  const mark = shownAt(852, 0);
  await expectColor(canvas, mark, accent);
  await press("ArrowLeft", canvas);
  await expectColor(canvas, { x: mark.x + 60, y: mark.y }, accent);
  await press("0");
  await expectColor(canvas, mark, accent);
  const element = canvas.element();
  const drag = (type: string, x: number) => {
    const { left, top } = element.getBoundingClientRect();
    element.dispatchEvent(
      new PointerEvent(type, { pointerId: 1, clientX: left + x, clientY: top + 230, bubbles: true, button: 0, isPrimary: true }),
    );
  };
  drag("pointerdown", 400);
  drag("pointermove", 380);
  drag("pointermove", 320);
  drag("pointerup", 320);
  await expectColor(canvas, { x: mark.x - 80, y: mark.y }, accent);
  await expect.element(details).toHaveTextContent("Select a component");
  await page.getByRole("button", { name: "Fit (0)" }).click();
  await expectColor(canvas, mark, accent);
  // The point under the wheel stays where it is.
  await userEvent.hover(canvas, { position: { ...mark } });
  const { left, top } = element.getBoundingClientRect();
  const wheel = new WheelEvent("wheel", { deltaY: -200, clientX: left + mark.x, clientY: top + mark.y, cancelable: true, bubbles: true });
  element.dispatchEvent(wheel);
  expect(wheel.defaultPrevented).toBe(true);
  await expectColor(canvas, mark, accent);
  await expect.poll(async () => (await takePicture(canvas)).count(shownAt(352, 0), 9, amber)).toBe(0);
  await press("0", canvas);
  await expectColor(canvas, shownAt(352, 0), amber);
  await page.getByRole("button", { name: "Zoom out (−)" }).click();
  await expect.poll(async () => (await takePicture(canvas)).count(mark, 9, accent)).toBe(0);
});

it("fills the screen by its button or F, and Escape returns with the focus", async () => {
  await open();
  const whole = page.getByRole("dialog", { name: "Drawing of storm-ingest" });
  const button = page.getByRole("button", { name: "Full screen (F)" });
  await button.click();
  const large = whole.getByRole("application");
  await expect.element(large).toBeVisible();
  const { width, height } = large.element().getBoundingClientRect();
  expect(width).toBeGreaterThan(innerWidth - 320);
  expect(height).toBeGreaterThan(innerHeight - 160);
  await expectAccessible({ within: ["[role=dialog]"] });
  // A selection on the whole screen is kept.
  await whole.getByRole("option", { name: "Publish Processor" }).click();
  await expect.element(whole.getByRole("heading", { name: "Publish" })).toBeVisible();
  await press("Escape");
  await expect.element(whole).not.toBeInTheDocument();
  await expect.element(button).toHaveFocus();
  await expect.element(details.getByRole("heading", { name: "Publish" })).toBeVisible();

  await press("f", canvas);
  await expect.element(large).toBeVisible();
  await whole.getByRole("button", { name: "Leave full screen (Escape)" }).click();
  await expect.element(whole).not.toBeInTheDocument();
  await expect.element(canvas).toHaveFocus();
});

it("zooms around the middle of two fingers", async () => {
  await open();
  const mark = shownAt(852, 0);
  await expectColor(canvas, mark, accent);
  const element = canvas.element();
  const touch = (type: string, pointerId: number, x: number) => {
    const { left, top } = element.getBoundingClientRect();
    element.dispatchEvent(new PointerEvent(type, { pointerId, clientX: left + x, clientY: top + mark.y, bubbles: true, button: 0 }));
  };
  touch("pointerdown", 1, mark.x - 40);
  touch("pointerdown", 2, mark.x + 40);
  for (let step = 1; step <= 10; step += 1) {
    touch("pointermove", 1, mark.x - 40 - 4 * step);
    touch("pointermove", 2, mark.x + 40 + 4 * step);
  }
  touch("pointerup", 1, mark.x - 80);
  touch("pointerup", 2, mark.x + 80);
  await expectColor(canvas, mark, accent);
  await expect.poll(async () => (await takePicture(canvas)).count(shownAt(352, 0), 9, amber)).toBe(0);
});

it("repaints in the colors of the other theme", async () => {
  await open();
  await expectColor(canvas, shownAt(852, 0), accent);
  await showTheme("dark");
  await expectColor(canvas, shownAt(852, 0), [92, 185, 214]);
});

it("finds components by name among a thousand, and renders only some of them", async () => {
  const nodes = Array.from({ length: 1_000 }, (_, index) =>
    flowNode(`P${index}`, { x: (index % 40) * 450, y: Math.floor(index / 40) * 250 }),
  );
  gateway.answer(flowDifferences.drawing, {
    outcome: "drawn",
    groups: [{ id: "id-root", name: "large", parentId: null, state: "same", hasChanges: false, nodes, edges: [] }],
  });
  gateway.answer(flowDifferences.changes, changesPage([]));
  openFlowPart(<FlowDrawingView {...iterationProps} />);
  await expect.element(components).toHaveAccessibleName("large: 1,000 components");
  expect(components.element().querySelectorAll('[role="option"]').length).toBeLessThan(60);
  await page.getByRole("textbox", { name: "Filter components" }).fill("p99");
  await expect.element(components).toHaveAccessibleName("large: 11 components");
  await press("End", components);
  await expect.element(details.getByRole("heading", { name: "P999" })).toBeVisible();
  await page.getByRole("textbox", { name: "Filter components" }).fill("nobody");
  await expect.element(page.getByText("No component matches the filter.")).toBeVisible();
});

it("fits a phone", async () => {
  await page.viewport(390, 844);
  await open();
  await expect.element(canvas).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  expect(canvas.element().getBoundingClientRect().height).toBeGreaterThan(150);
  await expect.element(option("Fetch Processor")).toBeVisible();
  await expectAccessible();
});

it("selects by arrow keys in the list, enters a group with Enter, and leads back by its path", async () => {
  await open();
  await press("ArrowDown", components);
  await expect.element(option("Fetch Processor")).toHaveAttribute("aria-selected", "true");
  await press("ArrowDown");
  await press("ArrowDown");
  await expect.element(details.getByRole("heading", { name: "parse" })).toBeVisible();
  await press("Enter");
  await expect.element(canvas).toHaveAccessibleName("Drawing of parse, 3 components, 1 changed");
  await expect.element(path).toHaveTextContent("storm-ingestparse");
  await path.getByRole("button", { name: "storm-ingest" }).click();
  await expect.element(canvas).toHaveAccessibleName(/storm-ingest/);
  await canvas.dblClick({ position: shownAt(100, 400) });
  await expect.element(canvas).toHaveAccessibleName(/Drawing of parse/);
  await press("Backspace", canvas);
  await expect.element(details.getByRole("heading", { name: "parse" })).toBeVisible();
  await details.getByRole("button", { name: "Open parse" }).click();
  await expect.element(canvas).toHaveAccessibleName(/Drawing of parse/);
});

it("shows what changed in the component that is pressed, in step with the list", async () => {
  await open();
  await expect.element(option("Fetch Processor")).toBeVisible();
  await canvas.click({ position: shownAt(100, 60) });
  await expect.element(option("Fetch Processor")).toHaveAttribute("aria-selected", "true");
  await expect.element(details.getByText("The Read Timeout of processor")).toBeVisible();
  await expect.element(details.getByText("org.apache.nifi.processors.standard.InvokeHTTP")).toBeVisible();
  // The line between the two, and then nothing.
  await canvas.click({ position: shownAt(426, 64) });
  await expect.element(details.getByRole("heading", { name: "success, Fetch to Publish" })).toBeVisible();
  await expect.element(details.getByText("It didn't change.")).toBeVisible();
  await canvas.click({ position: shownAt(430, 250) });
  await expect.element(details).toHaveTextContent("Select a component to see what changed in it.");
});
