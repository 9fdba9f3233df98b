import type { FlowChangeCategory } from "@fairway/contract/flow-differences";
import { typeField } from "./flow-model.ts";

/** NiFi 1.x also writes the last one under a wrong name. */
const layoutFields = new Set(["position", "bends", "labelIndex", "width", "height", "style", "zIndex", "getzIndex"]);
const versionFields = new Set(["bundle.version", "flowEncodingVersion"]);

export function categoryOf(field: string): FlowChangeCategory {
  if (layoutFields.has(field)) return "layout";
  return versionFields.has(field) || field.startsWith("versionedFlowCoordinates.") ? "versions" : "behavior";
}

/** As on NiFi's screens, where the name in the file is different. */
const labels = new Map([
  [typeField, "type"],
  ["bundle.version", "bundle version"],
  ["schedulingPeriod", "run schedule"],
  ["concurrentlySchedulableTaskCount", "number of concurrent tasks"],
  ["executionNode", "execution"],
  ["runDurationMillis", "run duration in milliseconds"],
  ["scheduledState", "state"],
  ["autoTerminatedRelationships", "automatically terminated relationships"],
  ["retriedRelationships", "retried relationships"],
  ["retryCount", "number of retries"],
  ["selectedRelationships", "relationships"],
  ["backPressureObjectThreshold", "back pressure object threshold"],
  ["backPressureDataSizeThreshold", "back pressure size threshold"],
  ["flowFileExpiration", "FlowFile expiration"],
  ["flowFileConcurrency", "FlowFile concurrency"],
  ["flowFileOutboundPolicy", "FlowFile outbound policy"],
  ["partitioningAttribute", "load balancing attribute"],
  ["parameterContextName", "parameter context"],
  ["inheritedParameterContexts", "inherited parameter contexts"],
  ["targetUris", "target URIs"],
  ["targetUri", "target URI"],
  ["label", "text"],
]);

const prefixes: readonly (readonly [prefix: string, before: string])[] = [
  ["properties.", ""],
  ["variables.", "variable "],
  ["versionedFlowCoordinates.", "version control "],
];

/** `displayName` is how NiFi calls a property. */
export function labelOf(field: string, displayName?: string): string {
  if (displayName !== undefined) return displayName;
  const known = labels.get(field);
  if (known !== undefined) return known;
  for (const [prefix, before] of prefixes) if (field.startsWith(prefix)) return before + field.slice(prefix.length);
  return field.replaceAll(/([a-z\d])([A-Z])/g, "$1 $2").toLowerCase();
}

/** Whether the label names several things: "comments" and "relationships" do, but neither "number of retries" nor a name of users. */
export function isPluralLabel(field: string, label: string): boolean {
  if (prefixes.some(([prefix]) => field.startsWith(prefix))) return false;
  const [noun = ""] = label.split(/ (?:of|in|for|to|per|from|with) /);
  // Not "address", "status" or "axis".
  return /[^sui]s$/.test(noun);
}

export const externalServicePrefix = "externalControllerServices.";
