import type { NifiClient } from "./client.ts";
import { isTemplateVersion, readProcessorTypes, readServiceTypes } from "./environment-check.ts";
import { plainText } from "./plain-text.ts";
import { downloadDefinition, readVersion } from "./process-groups.ts";
import { currentUser, parameterContexts } from "./protocol.ts";

/** Whether a NiFi answers there and accepts the credentials. Rejects with NifiFailed, which says what is wrong. */
export async function probeNifi(client: NifiClient): Promise<{ readonly version: string; readonly identity: string }> {
  await client.signIn();
  const version = await readVersion(client);
  const { identity } = await client.json(currentUser, { method: "GET", path: "/flow/current-user" });
  return { version, identity };
}

/** The flow definition of a group, as JSON text. Rejects with the reason `missing` if NiFi does not have the group any more. */
export function readDeployed(client: NifiClient, processGroupId: string): Promise<string> {
  return downloadDefinition(client, processGroupId);
}

/** Component types and other objects that flows can use in one NiFi. */
export interface NifiCapabilities {
  readonly version: string;
  readonly acceptsTemplates: boolean;
  /** Class names. */
  readonly processorTypes: readonly string[];
  readonly controllerServiceTypes: readonly string[];
  /** Without values. */
  readonly parameterContexts: readonly { readonly name: string; readonly parameters: readonly string[] }[];
}

export async function readCapabilities(client: NifiClient): Promise<NifiCapabilities> {
  await client.signIn();
  const version = await readVersion(client);
  const [processorTypes, controllerServiceTypes, contexts] = await Promise.all([
    readProcessorTypes(client),
    readServiceTypes(client),
    client.json(parameterContexts, { method: "GET", path: "/flow/parameter-contexts" }),
  ]);
  const name = (text: string) => plainText(client.shown(text), 300);
  return {
    version,
    acceptsTemplates: isTemplateVersion(version),
    processorTypes: processorTypes.map(name),
    controllerServiceTypes: controllerServiceTypes.map(name),
    parameterContexts: contexts.parameterContexts.flatMap(({ component }) =>
      component ? [{ name: name(component.name), parameters: component.parameters.map(({ parameter }) => name(parameter.name)) }] : [],
    ),
  };
}
