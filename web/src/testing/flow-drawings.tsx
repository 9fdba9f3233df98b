import { flowDifferences } from "@fairway/contract/flow-differences";
import { expect } from "vitest";
import { type Locator, page } from "vitest/browser";
import { changesPage, fieldChange, flowComponent, openFlowPart, smallDrawing } from "./flow-differences.tsx";
import { gateway } from "./open-screen.tsx";
import { takePicture } from "./pixels.ts";
import type { ComparisonProps } from "#features/flows/changes/comparison-props.ts";
import { fitted } from "#features/flows/changes/drawing/viewport.ts";
import { FlowDrawingView } from "#features/flows/changes/flow-drawing.tsx";

export const iterationProps = { group: "weather", flowId: 7, iteration: { id: 12, number: 4 }, against: { id: 11, number: 3 } };
export const timeout = fieldChange(flowComponent("Fetch"), "Read Timeout", "15 secs", "60 secs");

export const canvas = page.getByRole("application");

export async function open(props: Partial<ComparisonProps> = {}): Promise<void> {
  gateway.answer(flowDifferences.drawing, smallDrawing);
  gateway.answer(flowDifferences.changes, changesPage([timeout]));
  openFlowPart(<FlowDrawingView {...iterationProps} {...props} />);
  await expect.element(canvas).toBeVisible();
}

/** Position of a point of the outermost group on the canvas while all of it is shown. */
export function shownAt(x: number, y: number): { x: number; y: number } {
  const { width, height } = canvas.element().getBoundingClientRect();
  const view = fitted({ left: 0, top: 0, right: 852, bottom: 476 }, { width, height });
  return { x: x * view.scale + view.x, y: y * view.scale + view.y };
}

export async function expectColor(locator: Locator, at: { x: number; y: number }, color: readonly [number, number, number]): Promise<void> {
  await expect.poll(async () => (await takePicture(locator)).count(at, 9, color)).toBeGreaterThan(25);
}

export const components = page.getByRole("listbox");

export const option = (name: string) => components.getByRole("option", { name });

export const details = page.getByRole("region", { name: "Selected component" });
