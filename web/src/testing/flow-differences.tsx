import type { FlowChange, FlowChangesPage, FlowComponentRef, FlowDrawing, FlowEdge, FlowNode } from "@fairway/contract/flow-differences";
import { localStorageColorSchemeManager, MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { setTokenSource } from "#lib/gateway/call.ts";
import { queryClient } from "#lib/gateway/query-client.ts";
import { cssVariablesResolver, theme } from "#ui/theme/theme.ts";
import { mount } from "./open-screen.tsx";

/** As in the app: `expectAccessible` switches the theme by it. */
const colorSchemeManager = localStorageColorSchemeManager({ key: "fairway.theme" });

/** Shows a part of the request page by itself, as high as its place there. */
export function openFlowPart(part: ReactNode, heightPx = 700): void {
  setTokenSource({ token: () => Promise.resolve("token"), onUnauthorized: () => Promise.resolve(false) });
  mount(
    <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} colorSchemeManager={colorSchemeManager}>
      <QueryClientProvider client={queryClient}>
        <main style={{ height: heightPx, display: "flex", flexDirection: "column" }}>
          <h1>Larger batches</h1>
          <h2>Iterations</h2>
          {part}
        </main>
      </QueryClientProvider>
    </MantineProvider>,
  );
}

export const flowComponent = (name: string, more: Partial<FlowComponentRef> = {}): FlowComponentRef => ({
  kind: "processor",
  id: `id-${name}`,
  name,
  type: "org.apache.nifi.processors.standard.InvokeHTTP",
  groupPath: ["storm-ingest"],
  ...more,
});

/** The change of a field. */
export function fieldChange(
  component: FlowComponentRef,
  label: string,
  before: string | null,
  after: string | null,
  more: Partial<FlowChange> = {},
): FlowChange {
  return {
    kind: "changed",
    category: "behavior",
    component,
    sentence: `The ${label} of ${component.kind} "${component.name}" changed from ${before ?? "nothing"} to ${after ?? "nothing"}.`,
    fields: [{ field: label, label, before, after, sensitive: false }],
    ...more,
  };
}

/** A page that holds all of these changes. */
export const changesPage = (
  changes: readonly FlowChange[],
  more: Partial<FlowChangesPage & { outcome: "compared" }> = {},
): FlowChangesPage => ({
  outcome: "compared",
  against: { iterationId: 3, number: 1, requestId: 2, requestName: "First version" },
  changes: [...changes],
  total: changes.length,
  counts: {
    behavior: changes.filter(({ category }) => category === "behavior").length,
    layout: changes.filter(({ category }) => category === "layout").length,
    versions: changes.filter(({ category }) => category === "versions").length,
  },
  ...more,
});

export const flowNode = (name: string, more: Partial<FlowNode> = {}): FlowNode => ({
  id: `id-${name}`,
  kind: "processor",
  name,
  type: "org.apache.nifi.processors.standard.InvokeHTTP",
  x: 0,
  y: 0,
  width: 352,
  height: 128,
  state: "same",
  ...more,
});

export const flowEdge = (from: string, to: string, more: Partial<FlowEdge> = {}): FlowEdge => ({
  id: `id-${from}-${to}`,
  from: `id-${from}`,
  to: `id-${to}`,
  name: "success",
  bends: [],
  state: "same",
  ...more,
});

/** A flow whose group "parse" is drawn by itself. */
export const smallDrawing: FlowDrawing & { outcome: "drawn" } = {
  outcome: "drawn",
  groups: [
    {
      id: "id-root",
      name: "storm-ingest",
      parentId: null,
      state: "same",
      hasChanges: true,
      nodes: [
        flowNode("Fetch", { state: "changed" }),
        flowNode("Publish", { x: 500, y: 0, state: "added" }),
        flowNode("parse", { kind: "process-group", type: "", x: 0, y: 300, width: 384, height: 176 }),
        flowNode("Log", { x: 500, y: 300, state: "removed" }),
      ],
      edges: [flowEdge("Fetch", "Publish", { state: "added" }), flowEdge("Fetch", "parse"), flowEdge("parse", "Log", { state: "removed" })],
    },
    {
      id: "id-parse",
      name: "parse",
      parentId: "id-root",
      state: "same",
      hasChanges: true,
      nodes: [
        flowNode("Split", { state: "moved" }),
        flowNode("in", { kind: "input-port", type: "", x: 50, y: 300, width: 240, height: 48 }),
      ],
      edges: [flowEdge("in", "Split")],
    },
  ],
};
