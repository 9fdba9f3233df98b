import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { checksumHeader } from "@fairway/contract/fileset-uploads";
import type { S3Settings } from "./s3-settings.ts";
import { storeFailed } from "./s3-failures.ts";

/** Whether the service lets browsers with pages of this origin PUT a part to the address. Rejects with StoreFailed. */
export async function allowsPut(address: string, origin: string, { addresses, limits }: S3Settings): Promise<boolean> {
  const url = new URL(address);
  addresses.requireAllowed(url);
  const headers = await preflight(url, origin, addresses.lookup, limits.storeReadMs).catch((error: unknown) => {
    throw error instanceof Error ? storeFailed(error, "") : error;
  });
  const allowed = headers["access-control-allow-origin"];
  const listed = (name: "access-control-allow-methods" | "access-control-allow-headers", wanted: string): boolean =>
    (headers[name] ?? "").split(",").some((one) => one.trim() === "*" || one.trim().toLowerCase() === wanted);
  const allowsHeader = listed("access-control-allow-headers", checksumHeader);
  return (allowed === "*" || allowed === origin) && listed("access-control-allow-methods", "put") && allowsHeader;
}

type Headers = NodeJS.Dict<string | string[]> & {
  "access-control-allow-methods"?: string | undefined;
  "access-control-allow-headers"?: string | undefined;
};

function preflight(url: URL, origin: string, lookup: S3Settings["addresses"]["lookup"], timeoutMs: number): Promise<Headers> {
  return new Promise((resolve, reject) => {
    const headers = { origin, "access-control-request-method": "PUT", "access-control-request-headers": checksumHeader };
    const signal = AbortSignal.timeout(timeoutMs);
    const send = url.protocol === "https:" ? httpsRequest : httpRequest;
    const call = send(url, { method: "OPTIONS", headers, agent: false, lookup, signal }, (response) => {
      resolve(response.headers);
      response.destroy();
    });
    call.on("error", (error) => reject(signal.aborted ? Object.assign(new Error("no answer"), { name: "TimeoutError" }) : error));
    call.end();
  });
}
