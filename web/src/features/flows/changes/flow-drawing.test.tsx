import { flowDifferences } from "@fairway/contract/flow-differences";
import { useState } from "react";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { changesPage, flowNode, openFlowPart, smallDrawing } from "#testing/flow-differences.tsx";
import { gateway } from "#testing/open-screen.tsx";
import type { ComparisonProps } from "./comparison-props.ts";
import { FlowDrawingView } from "./flow-drawing.tsx";
import { canvas, components, details, expectColor, iterationProps, open, shownAt, timeout } from "#testing/flow-drawings.tsx";

const accent = [10, 98, 127] as const;
const rose = [177, 31, 60] as const;
const amber = [133, 80, 0] as const;

it("draws a group with colored marks, and lists all of its components, the changed ones first", async () => {
  await open();
  await expect.element(canvas).toHaveAccessibleName("Drawing of storm-ingest, 7 components, 5 changed");
  await expectColor(canvas, shownAt(852, 0), accent);
  // A process group in which something changed has a ring, which is hollow.
  await expectColor(canvas, shownAt(352, 0), amber);
  await expectColor(canvas, shownAt(852, 300), rose);
  const names = components.element().querySelectorAll('[role="option"]');
  expect([...names].map(({ textContent }) => textContent)).toEqual([
    "ChangedFetchProcessor",
    "RemovedLogProcessor",
    "UnchangedparseProcess group, changes inside",
    "AddedPublishProcessor",
    "Addedsuccess, Fetch to PublishConnection",
    "Removedsuccess, parse to LogConnection",
    "Unchangedsuccess, Fetch to parseConnection",
  ]);
  await expect.element(page.getByRole("list", { name: "Legend" })).toHaveTextContent("AddedRemovedChangedMovedChanges inside");
  expect(gateway.received(flowDifferences.drawing)[0]?.query).toEqual({ iterationId: 12, against: 11 });
  await expectAccessible();
});

it("leads to a component of any group, comments on it and shows its threads", async () => {
  const commented: unknown[] = [];
  const threads = ({ id }: { id: string }) => id === "id-Split" && "Why was it moved?";
  function Page() {
    const [target, setTarget] = useState<ComparisonProps["target"]>();
    return (
      <>
        <button type="button" onClick={() => setTarget({ componentId: "id-Split" })}>
          Go to Split
        </button>
        <FlowDrawingView {...iterationProps} target={target} onComment={(component) => commented.push(component)} threads={threads} />
      </>
    );
  }
  const { groups } = smallDrawing;
  // It left the outermost group.
  const left = { ...groups[0], nodes: [flowNode("Split", { state: "removed" }), ...(groups[0]?.nodes ?? [])] } as (typeof groups)[number];
  gateway.answer(flowDifferences.drawing, { ...smallDrawing, groups: [left, ...groups.slice(1)] });
  gateway.answer(flowDifferences.changes, changesPage([timeout]));
  openFlowPart(<Page />);
  await expect.element(canvas).toBeVisible();
  await page.getByRole("button", { name: "Go to Split" }).click();
  await expect.element(details.getByText("Why was it moved?")).toBeVisible();
  await expect.element(canvas).toHaveAccessibleName(/Drawing of parse/);
  await details.getByRole("button", { name: "Comment on Split" }).click();
  expect(commented).toEqual([{ id: "id-Split", name: "Split" }]);
});

it("says what cannot be drawn, and what failed", async () => {
  gateway.answer(flowDifferences.changes, changesPage([]));
  gateway.answer(flowDifferences.drawing, { outcome: "not-comparable", sentence: "YAML is only shown as text." });
  openFlowPart(<FlowDrawingView {...iterationProps} />);
  await expect.element(page.getByText("YAML is only shown as text.")).toBeVisible();
  gateway.refuse(flowDifferences.drawing, "internal", "Something failed.", { times: 1 });
  openFlowPart(<FlowDrawingView {...iterationProps} against="none" />);
  await expect.element(page.getByRole("alert")).toHaveTextContent("Something failed.");
  gateway.answer(flowDifferences.drawing, { outcome: "drawn", groups: [] });
  await page.getByRole("button", { name: "Retry" }).click();
  await expect.element(page.getByText("The flow has no components.")).toBeVisible();
});
