import type { FlowChangeCategory } from "@fairway/contract/flow-differences";

/** NiFi 1.x also writes the last one under a wrong name. */
const layoutFields = new Set(["position", "bends", "labelIndex", "width", "height", "style", "zIndex", "getzIndex"]);
const versionFields = new Set(["bundle.version", "flowEncodingVersion"]);

export function categoryOf(field: string): FlowChangeCategory {
  if (layoutFields.has(field)) return "layout";
  return versionFields.has(field) || field.startsWith("versionedFlowCoordinates.") ? "versions" : "behavior";
}
