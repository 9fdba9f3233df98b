import { recordOf } from "@fairway/contract/records";
import { z } from "zod";

const document = z.object({
  paths: recordOf(
    z.string(),
    recordOf(z.string(), z.object({ summary: z.string(), security: z.array(recordOf(z.string(), z.unknown())).default([]) })),
  ),
});

export interface KeyCall {
  method: string;
  path: string;
  summary: string;
}

/** The calls of an OpenAPI document that are open to API keys, in its order. Throws if it is not such a document. */
export function parseKeyCalls(text: string): KeyCall[] {
  return Object.entries(document.parse(JSON.parse(text)).paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => security.some((scheme) => "apiKey" in scheme))
      .map(([method, { summary }]) => ({ method: method.toUpperCase(), path, summary })),
  );
}
