import type { FlowChecks, FlowComponentKind } from "@fairway/contract/flow-differences";
import { pluralize } from "@fairway/contract/counts";
import { checkParameters, checkUnusedParameters } from "./check-parameters.ts";
import { type Checked, type EnvironmentFacts, Report } from "./check-report.ts";
import { type Flow, FlowUnreadable, type UnreadableReason } from "./flow-model.ts";
import { groupBy, isReference } from "./match-components.ts";
import { nameComponent, shortType } from "./name-component.ts";
import { readFlow } from "./read-flow.ts";
import { cut } from "./shown-text.ts";

const largestBytes = 5_000_000;

/** Never throws for content of any kind. Sentences name components, but never quote values. */
export function checkFlow(text: string, environment?: EnvironmentFacts): FlowChecks {
  const report = new Report();
  checkSize(text, report);
  const flow = readChecked(text, report);
  if (flow) {
    const facts = { flow, environment, report };
    checkFormat(facts);
    if (flow.format !== "yaml") for (const check of componentChecks) check({ ...facts, flow });
  }
  return report.finish();
}

function checkSize(text: string, report: Report): void {
  const bytes = Buffer.byteLength(text);
  const counted = pluralize(bytes, "byte");
  if (bytes > largestBytes) report.add("size", "error", `The content has ${counted}, which is more than 5 MB.`);
  report.conclude("size", `The content has ${counted}.`);
}

function readChecked(text: string, report: Report): Flow | undefined {
  try {
    const flow = readFlow(text);
    report.conclude("readable", "The content can be read.");
    return flow;
  } catch (error) {
    if (!(error instanceof FlowUnreadable)) throw error;
    const isReadable: Readonly<Record<UnreadableReason, boolean>> = {
      "not-a-flow": true,
      syntax: false,
      "too-complex": false,
      dangerous: false,
    };
    report.add(isReadable[error.reason] ? "flow-definition" : "readable", "error", error.message);
    if (isReadable[error.reason]) report.conclude("readable", "The content can be read.");
    return undefined;
  }
}

function checkFormat({ flow, environment, report }: Checked<Flow>): void {
  if (flow.format === "yaml") {
    report.add("flow-definition", "error", "NiFi cannot read YAML: this content can be reviewed as text, but not compared or deployed.");
  } else if (flow.format === "xml" && environment && !environment.acceptsTemplates) {
    report.add(
      "flow-definition",
      "error",
      `The NiFi of ${environment.name} cannot read templates. Upload a flow definition (JSON) instead.`,
    );
  } else if (flow.format === "xml" && !environment) {
    report.add("flow-definition", "info", "This is a template, which NiFi reads only before version 2.");
  }
  report.conclude("flow-definition", flow.format === "xml" ? "This is a NiFi template." : "This is a NiFi flow definition.");
}

function checkTypes({ flow, environment, report }: Checked): void {
  if (environment === undefined) {
    report.add("processor-types", "not-checked", "Choose an environment to check component types.");
    return;
  }
  const known: readonly (readonly [FlowComponentKind, string, ReadonlySet<string>])[] = [
    ["processor", "processors", new Set(environment.processorTypes)],
    ["controller-service", "controller services", new Set(environment.controllerServiceTypes)],
  ];
  for (const [kind, noun, types] of known) {
    const unknown = [...flow.components.values()].filter((one) => one.kind === kind && one.type !== "" && !types.has(one.type));
    for (const [type, components] of groupBy(unknown, (one) => one.type)) {
      const [component] = components;
      if (component === undefined) continue;
      const users = components.length === 1 ? `the ${nameComponent(component, flow)} needs` : `${components.length} ${noun} need`;
      report.add("processor-types", "error", `${environment.name} does not have the type ${cut(shortType(type), 200)}, which ${users}.`, {
        component,
        flow,
      });
    }
  }
  report.conclude("processor-types", `${environment.name} has all types of processors and controller services.`);
}

function checkSecrets({ flow, report }: Checked): void {
  for (const component of flow.components.values()) {
    for (const [field, value] of component.fields) {
      if (typeof value !== "object" || isReference(value) || value.isEncrypted) continue;
      const at = { component, flow };
      const name = nameComponent(component, flow);
      if (component.kind === "parameter" && field === "value") {
        report.add(
          "clear-secrets",
          "warning",
          `The ${name} has a value that looks like a secret, in plain text. Remove it and set it in the environment.`,
          at,
        );
      } else {
        const label = cut(field.replace(/^properties\./, ""), 100);
        report.add(
          "clear-secrets",
          "warning",
          `"${label}" of the ${name} contains what looks like a secret, in plain text. Use a sensitive parameter instead.`,
          at,
        );
      }
    }
  }
  report.conclude("clear-secrets", "No value looks like a secret in plain text.");
}

function checkServices({ flow, report }: Checked): void {
  const used = new Set(
    [...flow.components.values()].flatMap(({ fields }) =>
      [...fields.values()].flatMap((value) => (isReference(value) ? [value.referenceTo] : [])),
    ),
  );
  for (const component of flow.components.values()) {
    if (component.kind !== "controller-service" || component.fields.get("scheduledState") !== "DISABLED") continue;
    const name = nameComponent(component, flow);
    if (used.has(component.id)) report.add("disabled-services", "warning", `The ${name} is disabled but used.`, { component, flow });
    else report.add("disabled-services", "info", `The ${name} is disabled.`, { component, flow });
  }
  report.conclude("disabled-services", "No controller service is disabled.");
}

function checkConnections({ flow, report }: Checked): void {
  const connected = new Set<string>();
  for (const component of flow.components.values()) {
    if (component.kind !== "connection") continue;
    const [source, destination] = ["source", "destination"].map((end) => {
      const value = component.fields.get(end);
      return isReference(value) && flow.components.has(value.referenceTo) ? value.referenceTo : undefined;
    });
    const name = nameComponent(component, flow);
    if (source === undefined || destination === undefined) {
      report.add("dangling-connections", "error", `The ${name} does not connect two components of the flow.`, { component, flow });
    } else if (source === destination) report.add("self-loops", "info", `The ${name} leads back to where it starts.`, { component, flow });
    if (source !== undefined) connected.add(source);
    if (destination !== undefined) connected.add(destination);
  }
  report.conclude("dangling-connections", "Every connection has both ends.");
  report.conclude("self-loops", "No connection leads back to where it starts.");
  for (const component of flow.components.values()) {
    if (component.kind !== "processor" || connected.has(component.id)) continue;
    report.add("unconnected-processors", "info", `The ${nameComponent(component, flow)} has no connection.`, { component, flow });
  }
  report.conclude("unconnected-processors", "Every processor has a connection.");
}

const componentChecks: readonly ((checked: Checked) => void)[] = [
  checkTypes,
  checkParameters,
  checkSecrets,
  checkServices,
  checkConnections,
  checkUnusedParameters,
];
