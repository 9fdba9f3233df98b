import { randomBytes } from "node:crypto";
import type { FastifyInstance } from "fastify";
import type { OpenApiDocument } from "./openapi.ts";
import { referencePage } from "./reference-page.ts";
import { pagePolicy } from "./security-headers.ts";

/**
 * Serves the OpenAPI document and the reference page. Public, because they contain nothing about data or users. The document is written
 * when it is first asked for, because that takes longer than the rest of the app, and most portals are started without being asked.
 */
export function installReference(api: FastifyInstance, write: () => OpenApiDocument): void {
  let written: { document: OpenApiDocument; json: string } | undefined;
  const once = () => {
    if (written === undefined) {
      const document = write();
      written = { document, json: JSON.stringify(document) };
    }
    return written;
  };
  api.get("/openapi.json", (_request, reply) => reply.type("application/json; charset=utf-8").send(once().json));
  api.get("/reference", (_request, reply) => {
    const nonce = randomBytes(16).toString("base64");
    return reply
      .header("content-security-policy", pagePolicy(nonce, { frames: [], tiles: [], uploads: [] }))
      .type("text/html; charset=utf-8")
      .send(referencePage(once().document, nonce));
  });
}
