import { randomBytes } from "node:crypto";
import type { FastifyInstance } from "fastify";
import type { OpenApiDocument } from "./openapi.ts";
import { referencePage } from "./reference-page.ts";
import { pagePolicy } from "./security-headers.ts";

/** Serves the OpenAPI document and the reference page. Public, because they contain nothing about data or users. */
export function installReference(api: FastifyInstance, document: OpenApiDocument): void {
  const json = JSON.stringify(document);
  api.get("/openapi.json", (_request, reply) => reply.type("application/json; charset=utf-8").send(json));
  api.get("/reference", (_request, reply) => {
    const nonce = randomBytes(16).toString("base64");
    return reply
      .header("content-security-policy", pagePolicy(nonce, { frames: [], tiles: [], uploads: [] }))
      .type("text/html; charset=utf-8")
      .send(referencePage(document, nonce));
  });
}
