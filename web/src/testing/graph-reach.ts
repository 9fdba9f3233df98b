import { expect } from "vitest";
import { choose, editor, newGraph, picture, save, setColumn } from "./graphs.ts";

export async function drawDays(type = "Bar"): Promise<void> {
  const form = await newGraph();
  await choose(form, type);
  await form.getByLabelText("Group by").selectOptions("Temporal (Day)");
  await setColumn(form, 2, "max", "wind");
  await form.getByLabelText("Title").fill("Days");
  await save();
  await expect.element(picture("Days")).toBeVisible();
  // The editor has closed, so the chart has its full width.
  await expect.element(editor()).not.toBeInTheDocument();
}

/** The center of the nth of `count` groups in the chart. */
export function pointOf(index: number, count: number): { x: number; y: number } {
  const { width, height } = picture("Days").element().getBoundingClientRect();
  // The left axis takes about 36 pixels, the right edge 16.
  return { x: 36 + ((width - 52) * (index + 0.5)) / count, y: height / 2 };
}
