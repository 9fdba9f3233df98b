import { type RawObject, buildFlow, entriesOf, objectOf, objects, textOf } from "./build-flow.ts";
import { type ComponentFlow, FlowUnreadable } from "./flow-model.ts";
import { parseJson } from "./json-syntax.ts";

/** Reads a flow definition as NiFi downloads it. Throws FlowUnreadable. */
export function readJsonFlow(text: string): ComponentFlow {
  const definition = objectOf(parseJson(text));
  if (definition === undefined) throw notAFlow("it is not an object");
  const rootGroup = objectOf(definition.flowContents);
  if (rootGroup === undefined) {
    throw objectOf(definition.rootGroup)
      ? notAFlow("it is the configuration of a whole NiFi; download the flow definition of a process group instead")
      : notAFlow("'flowContents' is missing");
  }
  return buildFlow({
    format: "json",
    rootGroup,
    parameterContexts: entriesOf(definition.parameterContexts).flatMap(([name, context]) => pairOf(name, objectOf(context))),
    parameterProviders: entriesOf(definition.parameterProviders).flatMap(([, provider]) => objects([provider])),
    externalServices: entriesOf(definition.externalControllerServices).map(([id, service]) => [id, textOf(objectOf(service)?.name) ?? id]),
    flowFields: { flowEncodingVersion: definition.flowEncodingVersion },
  });
}

const pairOf = (name: string, context: RawObject | undefined): [string, RawObject][] => (context ? [[name, context]] : []);

const notAFlow = (why: string) => new FlowUnreadable("not-a-flow", `This JSON is not a NiFi flow definition: ${why}.`);
