import { readFileSync } from "node:fs";
import { AddressPolicy } from "#outbound/address-policy.ts";
import { type NifiClient, type NifiCredentials, nifiClient } from "../client.ts";
import type { FakeFields } from "./fake-flow.ts";

const read = (name: string): string => readFileSync(new URL(`../../testing/${name}`, import.meta.url), "utf8");

/** Exported by NiFi 1.18.0: GenerateFlowFile → LogAttribute, with a parameter context. */
export const sampleDefinition = read("nifi-1.18-flow-definition.json");
/** The same flow as a template. */
export const sampleTemplate = read("nifi-1.18-template.xml");

interface SampleFlow {
  readonly flowContents: { readonly processors: FakeFields[]; readonly connections: FakeFields[] } & FakeFields;
  readonly parameterContexts: FakeFields;
}

/** The sample with changes. */
export function changedSample(change: (flow: SampleFlow) => void): string {
  const flow = JSON.parse(sampleDefinition) as SampleFlow;
  change(flow);
  return JSON.stringify(flow);
}

/** The sample, changed, with a parameter context of the given name: NiFi keeps those of a name for all of its flows. */
export function sampleWithContext(name: string, change: (flow: SampleFlow) => void = () => undefined): string {
  return changedSample((flow) => {
    const contexts = flow.parameterContexts as Record<string, object>;
    flow.flowContents["parameterContextName"] = name;
    Object.assign(contexts, { [name]: { ...contexts["fw-ctx"], name } });
    delete contexts["fw-ctx"];
    change(flow);
  });
}

/** A client that may call this machine. */
export function testClient(
  url: string,
  options: { credentials?: NifiCredentials; ca?: string; connectTimeoutMs?: number; readTimeoutMs?: number } = {},
): NifiClient {
  const { credentials = { kind: "none" }, ca, connectTimeoutMs = 5_000, readTimeoutMs = 20_000 } = options;
  return nifiClient({ baseUrl: url, credentials, ca, connectTimeoutMs, readTimeoutMs }, new AddressPolicy(["127.0.0.1"]));
}
