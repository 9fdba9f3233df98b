// @ts-check
// The gateway's own packages, resolved from its folder, so that both sides of a comparison use the same versions.
import { createRequire } from "node:module";

const fromGateway = createRequire(new URL("../../gateway/package.json", import.meta.url));

export const duckDb = /** @type {typeof import("@duckdb/node-api")} */ (fromGateway("@duckdb/node-api"));
export const argon2 = /** @type {typeof import("@node-rs/argon2")} */ (fromGateway("@node-rs/argon2"));
export const s3 = {
  .../** @type {typeof import("@aws-sdk/client-s3")} */ (fromGateway("@aws-sdk/client-s3")),
  .../** @type {typeof import("@aws-sdk/s3-request-presigner")} */ (fromGateway("@aws-sdk/s3-request-presigner")),
};
export const fastify = /** @type {typeof import("fastify")} */ (fromGateway("fastify"));
