import type { FlowFormat } from "@fairway/contract/flow-requests";
import { Refusal } from "#http/refusal.ts";
import type { NifiFailed } from "#nifi/failure.ts";
import { isTemplate, noTemplates } from "#nifi/flow-content.ts";
import type { Environment, EnvironmentFacts } from "./environments.ts";

/** How a call that failed in NiFi is answered. Decision 0671. */
export function refusalOf({ reason, message }: NifiFailed, sentence = message): Refusal {
  // The connect timeout or the read timeout of the environment.
  if (reason === "timed-out") return new Refusal("timed-out", sentence);
  return new Refusal(reason === "unsupported" ? "conflict" : "upstream-failed", sentence);
}

/** Refuses with `conflict` what the NiFi of the environment does not take, before anybody signs in there. */
export function requireTaken(
  { number, format, content }: { readonly number: number; readonly format: FlowFormat; readonly content: string },
  { displayName }: Environment,
  facts: EnvironmentFacts | undefined,
): void {
  const problem =
    format === "yaml"
      ? `Iteration ${number} is YAML, which NiFi does not read. Add an iteration with a flow definition in JSON.`
      : format === "unknown"
        ? `Iteration ${number} is neither a flow definition in JSON nor a template in XML, and NiFi reads nothing else.`
        : facts?.acceptsTemplates === false && isTemplate(content)
          ? noTemplates(facts.version)
          : undefined;
  if (problem !== undefined) throw new Refusal("conflict", `${problem} Nothing was sent to ${displayName}.`);
}
