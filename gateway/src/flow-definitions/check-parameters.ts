import type { Checked } from "./check-report.ts";
import type { ComponentFlow, FlowComponent } from "./flow-model.ts";
import { groupBy } from "./match-components.ts";
import { nameComponent } from "./name-component.ts";
import { cut } from "./shown-text.ts";

/** Parameters that a text refers to, as `#{name}` or `#{'name'}`; `##{…}` is an escape. */
function parametersIn(text: string): string[] {
  if (!text.includes("#{")) return [];
  return Array.from(text.matchAll(/(#{1,9})\{([^#{}]{1,300})\}/g), ([, signs = "", name = ""]) =>
    signs.length % 2 === 1 ? name.trim().replaceAll(/^'|'$/g, "") : "",
  ).filter((name) => name !== "");
}

interface ParameterUse {
  readonly parameter: string;
  readonly context: string | undefined;
  readonly user: FlowComponent;
}

function parameterUses(flow: ComponentFlow): ParameterUse[] {
  return [...flow.components.values()].flatMap((user) => {
    if (user.kind !== "processor" && user.kind !== "controller-service") return [];
    const texts = Array.from(user.fields, ([field, value]) => (field.startsWith("properties.") && typeof value === "string" ? value : ""));
    const names = new Set(texts.flatMap(parametersIn));
    const group = flow.components.get(user.parentId ?? "");
    const context = group?.fields.get("parameterContextName");
    return Array.from(names, (parameter) => ({ parameter, user, context: typeof context === "string" ? context : undefined }));
  });
}

export function checkParameters({ flow, environment, report }: Checked): void {
  const inFlow = contextsOf(flow);
  const inEnvironment = new Map(environment?.parameterContexts.map(({ name, parameters }) => [name, new Set(parameters)]));
  const uses = groupBy(parameterUses(flow), ({ parameter, context }) => JSON.stringify([context, parameter]));
  for (const [use] of uses.values()) {
    if (use === undefined) continue;
    const { parameter, context, user } = use;
    const at = { component: user, flow };
    const named = `parameter "${cut(parameter, 100)}"`;
    if (context === undefined) {
      if (flow.format === "json")
        report.add(
          "parameters",
          "warning",
          `The ${nameComponent(user, flow)} uses the ${named}, but its process group has no parameter context.`,
          at,
        );
      else if (environment && ![...inEnvironment.values()].some((parameters) => parameters.has(parameter))) {
        report.add("parameters", "warning", `No parameter context of ${environment.name} has the ${named}.`, at);
      }
      continue;
    }
    const inContext = `the ${named} of the context "${cut(context, 100)}"`;
    if (inEnvironment.get(context)?.has(parameter)) continue;
    const defined = inFlow(context).get(parameter);
    if (defined === undefined) {
      report.add(
        "parameters",
        "error",
        `${environment ? `Neither ${environment.name} nor the flow has` : "The flow does not have"} ${inContext}.`,
        at,
      );
    } else if (environment && !defined.fields.has("value")) {
      report.add("parameters", "warning", `${environment.name} does not have ${inContext}, and the flow has no value for it.`, at);
    } else if (environment) report.add("parameters", "info", `${environment.name} gets ${inContext} with the value in the flow.`, at);
  }
  if (environment === undefined) {
    report.add("parameters", "not-checked", "Choose an environment to check parameters.");
  } else report.conclude("parameters", `${environment.name} has all parameters.`);
}

/** The parameters of a context of the flow by name, with inherited ones. */
function contextsOf(flow: ComponentFlow): (context: string) => ReadonlyMap<string, FlowComponent> {
  const components = [...flow.components.values()];
  const contexts = new Map(components.filter(({ kind }) => kind === "parameter-context").map((one) => [one.name, one]));
  const parameters = groupBy(
    components.filter(({ kind }) => kind === "parameter"),
    ({ parentId }) => parentId,
  );
  const found = new Map<string, ReadonlyMap<string, FlowComponent>>();
  return (wanted) => {
    const known = found.get(wanted);
    if (known) return known;
    const all = new Map<string, FlowComponent>();
    const names = new Set([wanted]);
    // A set is iterated while it grows; contexts that inherit from each other are visited once.
    for (const name of names) {
      const context = contexts.get(name);
      for (const one of parameters.get(context?.id ?? "") ?? []) if (!all.has(one.name)) all.set(one.name, one);
      const inherited = context?.fields.get("inheritedParameterContexts");
      if (typeof inherited === "string") for (const next of inherited.split(", ")) names.add(next);
    }
    found.set(wanted, all);
    return all;
  };
}

export function checkUnusedParameters({ flow, report }: Checked): void {
  const used = new Set(parameterUses(flow).map(({ parameter }) => parameter));
  for (const component of flow.components.values()) {
    if (component.kind !== "parameter" || used.has(component.name)) continue;
    report.add("unused-parameters", "info", `Nothing in the flow uses the ${nameComponent(component, flow)}.`, { component, flow });
  }
  report.conclude("unused-parameters", "Every parameter is used.");
}
