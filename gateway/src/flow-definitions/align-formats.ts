import type { ComponentFlow, FlowComponent, FlowValue } from "./flow-model.ts";

/** Values that NiFi gives to what an older template does not mention. */
const defaults: ReadonlyMap<string, string> = new Map([
  ["allowRemoteAccess", "false"],
  ["backoffMechanism", "PENALIZE_FLOWFILE"],
  ["backPressureDataSizeThreshold", "1 GB"],
  ["backPressureObjectThreshold", "10000"],
  ["bulletinLevel", "WARN"],
  ["concurrentlySchedulableTaskCount", "1"],
  ["defaultBackPressureDataSizeThreshold", "1 GB"],
  ["defaultBackPressureObjectThreshold", "10000"],
  ["defaultFlowFileExpiration", "0 sec"],
  ["executionEngine", "INHERITED"],
  ["flowFileConcurrency", "UNBOUNDED"],
  ["flowFileExpiration", "0 sec"],
  ["flowFileOutboundPolicy", "STREAM_WHEN_AVAILABLE"],
  ["loadBalanceCompression", "DO_NOT_COMPRESS"],
  ["loadBalanceStrategy", "DO_NOT_LOAD_BALANCE"],
  ["maxBackoffPeriod", "10 mins"],
  ["maxConcurrentTasks", "1"],
  ["portFunction", "STANDARD"],
  ["retryCount", "10"],
  ["scheduledState", "ENABLED"],
  ["statelessFlowTimeout", "1 min"],
  ["useCompression", "false"],
]);

/** Whether a template and a flow definition say the same of a field in their own ways. Decision 0670. */
export function areAlike(field: string, one: FlowValue | undefined, other: FlowValue | undefined): boolean {
  if (one === undefined || other === undefined) return (one ?? other) === defaults.get(field);
  return numeric.has(field) && typeof one === "string" && typeof other === "string" && plainNumbers(one) === plainNumbers(other);
}

const numeric = new Set(["batchSize", "height", "width"]);

/** XML writes `148.0` for a number that JSON has as `148`, and every value within an object as a text. */
const plainNumbers = (text: string): string =>
  text.replaceAll(/(?<![\w.])"?(-?\d+(?:\.\d+)?|true|false)"?(?![\w.])/g, (_, value: string) =>
    value === "true" || value === "false" ? value : String(Number(value)),
  );

/** A template and a flow definition without what only the format says. */
export function alignFormats(before: ComponentFlow, after: ComponentFlow): [before: ComponentFlow, after: ComponentFlow] {
  const [template, definition] = before.format === "xml" ? [before, after] : [after, before];
  const flow = withoutWrapper(template, definition);
  const isSnippet = flow === template;
  const plain = [withoutNoise(flow, definition, isSnippet), withoutNoise(definition, definition, isSnippet)] as const;
  return before.format === "xml" ? [plain[0], plain[1]] : [plain[1], plain[0]];
}

/**
 * A template wraps what it was made from in a group of its own: the process group of a template that holds a single one, with the
 * controller services that NiFi adds to it.
 */
function withoutWrapper(template: ComponentFlow, definition: ComponentFlow): ComponentFlow {
  const inRoot = [...template.components.values()].filter(({ parentId }) => parentId === template.rootId);
  const [group, ...others] = inRoot.filter(({ kind }) => kind !== "controller-service");
  if (group?.kind !== "process-group" || others.length > 0) return template;
  if (holdsGroup(definition, group.name)) return template;
  const components = new Map(template.components);
  components.delete(template.rootId);
  for (const one of inRoot) components.set(one.id, { ...one, parentId: one.id === group.id ? null : group.id });
  return { ...template, components, rootId: group.id };
}

/** Whether the definition is that of a group around the wanted one. */
const holdsGroup = ({ components, rootId }: ComponentFlow, name: string): boolean =>
  components.get(rootId)?.name !== name &&
  [...components.values()].some((one) => one.parentId === rootId && one.kind === "process-group" && one.name === name);

function withoutNoise(flow: ComponentFlow, definition: ComponentFlow, isSnippet: boolean): ComponentFlow {
  const root = definition.components.get(definition.rootId);
  const components = new Map(
    Array.from(flow.components, ([id, component]): [string, FlowComponent] => {
      const fields = new Map(component.fields);
      if (component.kind === "flow") fields.delete("flowEncodingVersion");
      // Definitions never say whether services are enabled, or that something runs.
      if (component.kind === "controller-service" || component.kind === "remote-port") fields.delete("scheduledState");
      else if (fields.get("scheduledState") === "RUNNING") fields.set("scheduledState", "ENABLED");
      if (fields.has("targetUris")) fields.delete("targetUri");
      if (id !== flow.rootId || root === undefined) return [id, { ...component, fields }];
      // Components that were chosen for a template have no group in it; its name is that of the template.
      if (isSnippet) return [id, { ...component, name: root.name, fields: root.fields }];
      fields.delete("position");
      return [id, { ...component, fields }];
    }),
  );
  return { ...flow, components };
}
