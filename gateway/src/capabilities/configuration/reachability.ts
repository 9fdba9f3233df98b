import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { TorchService } from "@fairway/contract/entity-schemas";
import type { Reachability } from "@fairway/contract/torch-services";
import { type AddressPolicy, AddressRefused } from "#outbound/address-policy.ts";
import { systemCode } from "#process/system-code.ts";

const timeoutMs = 3_000;
const maxConcurrent = 8;

/** Calls each service, a few at a time. */
export async function reachabilityOf(
  services: readonly TorchService[],
  addresses: Pick<AddressPolicy, "requireAllowed" | "lookup">,
  signal: AbortSignal,
): Promise<Reachability[]> {
  const responses: Reachability[] = [];
  for (let start = 0; start < services.length; start += maxConcurrent) {
    responses.push(
      ...(await Promise.all(services.slice(start, start + maxConcurrent).map((service) => check(service, addresses, signal)))),
    );
  }
  return responses;
}

async function check(
  { name, baseUrl }: TorchService,
  addresses: Pick<AddressPolicy, "requireAllowed" | "lookup">,
  signal: AbortSignal,
): Promise<Reachability> {
  const startMs = performance.now();
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const url = new URL(baseUrl);
    addresses.requireAllowed(url);
    const status = await statusOf(url, addresses.lookup, AbortSignal.any([timeout, signal]));
    return { name, reachable: true, status, answeredMs: Math.round(performance.now() - startMs), problem: null };
  } catch (error) {
    signal.throwIfAborted();
    return {
      name,
      reachable: false,
      status: null,
      answeredMs: null,
      problem: timeout.aborted ? "It does not answer in time." : problemOf(error),
    };
  }
}

/** The status of a GET request. Does not read the body or follow redirects. */
function statusOf(url: URL, lookup: AddressPolicy["lookup"], signal: AbortSignal): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = (url.protocol === "https:" ? httpsRequest : httpRequest)(url, { agent: false, lookup, signal }, (response) => {
      resolve(response.statusCode ?? 0);
      response.destroy();
    });
    // Not `once`: destroying the response may emit a second error.
    call.on("error", reject);
    call.end();
  });
}

function problemOf(error: unknown): string {
  if (error instanceof AddressRefused) return "The portal does not call this address.";
  const code = systemCode(error);
  if (code === "ECONNREFUSED") return "It refuses connections.";
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "Its name is not known.";
  return code === undefined ? "The call failed." : `The call failed (${code}).`;
}
