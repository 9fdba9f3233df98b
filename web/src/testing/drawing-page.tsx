import "#ui/theme/base.css";
import "#ui/theme/mantine.css";
import type { FlowDrawing } from "@fairway/contract/flow-differences";
import { MantineProvider } from "@mantine/core";
import { createRoot } from "react-dom/client";
import { DrawingCanvas } from "#features/flows/changes/drawing/drawing-canvas.tsx";
import { drawnGroup } from "#features/flows/changes/drawing/drawing-model.ts";
import { cssVariablesResolver, theme } from "#ui/theme/theme.ts";

/** The canvas of a drawing, with data from the script that drives the page. */
const drawingPage = {
  show(element: HTMLElement, drawing: FlowDrawing & { outcome: "drawn" }): void {
    const [group] = drawing.groups;
    if (!group) return;
    createRoot(element).render(
      <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver}>
        <DrawingCanvas
          ref={null}
          group={drawnGroup(drawing, group)}
          label="Drawing"
          selectedId={null}
          onSelect={() => {}}
          onEnter={() => {}}
          onLeave={() => {}}
          onFill={() => {}}
        />
      </MantineProvider>,
    );
  },
};

Object.assign(globalThis, { drawingPage });
