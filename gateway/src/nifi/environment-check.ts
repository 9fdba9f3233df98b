import type { NifiClient } from "./client.ts";
import { NifiFailed } from "./failure.ts";
import { type FlowDefinition, groupsIn } from "./flow-content.ts";
import { listedNames } from "./plain-text.ts";
import { componentTypes, controllerServices } from "./protocol.ts";

/** Templates were removed in NiFi 2. */
export const isTemplateVersion = (version: string): boolean => version.startsWith("1.") || version.startsWith("0.");

export const readProcessorTypes = async (client: NifiClient): Promise<string[]> =>
  client.json(componentTypes("processorTypes"), { method: "GET", path: "/flow/processor-types" });

export const readServiceTypes = async (client: NifiClient): Promise<string[]> =>
  client.json(componentTypes("controllerServiceTypes"), { method: "GET", path: "/flow/controller-service-types" });

/** Checks that NiFi has what a flow uses: NiFi would take a flow with types that it does not have. Returns a sentence. */
export async function checkEnvironment(client: NifiClient, definition: FlowDefinition, version: string): Promise<string> {
  const groups = groupsIn(definition.flowContents);
  const processors = typesIn(groups.flatMap((group) => group.processors));
  const services = typesIn(groups.flatMap((group) => group.controllerServices));
  requireTypes("processor", processors, await readProcessorTypes(client));
  if (services.length > 0) requireTypes("controller service", services, await readServiceTypes(client));
  const external = Object.values(definition.externalControllerServices ?? {}).flatMap(({ name }) => name ?? []);
  if (external.length > 0) requireServices(external, await rootServiceNames(client));
  const types = processors.length === 1 ? "The processor type is" : `All ${processors.length} processor types are`;
  return processors.length === 0 ? `NiFi ${version}.` : `NiFi ${version}. ${types} installed.`;
}

const typesIn = (components: readonly { readonly type?: string | undefined }[]): string[] =>
  [...new Set(components.flatMap(({ type }) => type ?? []))].sort();

function requireTypes(kind: string, used: readonly string[], installed: readonly string[]): void {
  const known = new Set(installed);
  const missing = used.filter((type) => !known.has(type)).map((type) => type.slice(type.lastIndexOf(".") + 1));
  if (missing.length === 0) return;
  throw new NifiFailed(
    "refused",
    `This NiFi does not have the ${kind} type${missing.length > 1 ? "s" : ""} ${listedNames(missing)}, which the flow uses.`,
  );
}

/** Services outside of the flow are found by name. */
function requireServices(used: readonly string[], existing: readonly string[]): void {
  const missing = used.filter((name) => !existing.includes(name));
  if (missing.length === 0) return;
  throw new NifiFailed(
    "refused",
    `This NiFi has no controller service ${listedNames(missing)} at its root, which the flow uses. Create it there first.`,
  );
}

async function rootServiceNames(client: NifiClient): Promise<string[]> {
  const answer = await client.json(controllerServices, { method: "GET", path: "/flow/process-groups/root/controller-services" });
  return answer.controllerServices.flatMap(({ component }) => component?.name ?? []);
}
