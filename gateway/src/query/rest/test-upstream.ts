import { mkdtemp, rm } from "node:fs/promises";
import { type IncomingMessage, type RequestListener, type Server, type ServerResponse, createServer } from "node:http";
import { type ServerOptions, createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { type ExternalDataset, externalDataset } from "@fairway/contract/external-datasets";
import { defaultLimits } from "@fairway/contract/limits";
import type { QueryableDataset } from "#query/engine.ts";
import { RestEngine } from "./engine.ts";
import type { UpstreamOptions } from "./upstreams.ts";
import { Scope } from "#query/scope.ts";

/** A request that the test upstream received. */
export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export type UpstreamHandler = (received: ReceivedRequest, response: ServerResponse, request: IncomingMessage) => void;

/** For tests: an HTTP server on this machine, and an engine that may call it. */
export interface RestBench {
  readonly engine: RestEngine;
  /** Such as `http://127.0.0.1:40123`. */
  readonly url: string;
  readonly requests: ReceivedRequest[];
  /** Logged entries. */
  readonly log: string[];
  readonly keystoreFolder: string;
  /** Sets the handler of all further requests. */
  respond: (handler: UpstreamHandler) => void;
  close(): Promise<void>;
}

interface BenchOptions extends Partial<Omit<UpstreamOptions, "limits">> {
  readonly limits?: Partial<typeof defaultLimits>;
  /** Makes the upstream use HTTPS. */
  readonly tls?: ServerOptions;
}

export async function restBench({ limits = {}, tls, ...options }: BenchOptions = {}): Promise<RestBench> {
  const requests: ReceivedRequest[] = [];
  const log: string[] = [];
  let handler: UpstreamHandler = json({ results: [] });
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      const received = { method, url, headers, body: Buffer.concat(chunks).toString() };
      requests.push(received);
      handler(received, response, request);
    });
  };
  const server: Server = tls ? createSecureServer(tls, listener) : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const keystoreFolder = await mkdtemp(path.join(tmpdir(), "fairway-keystores-"));
  const engine = new RestEngine({
    keystoreFolder,
    allowedAddresses: ["127.0.0.0/8"],
    limits: { ...defaultLimits, ...limits },
    log: { warn: (details, message) => log.push(JSON.stringify({ ...details, message })) },
    ...options,
  });
  return {
    engine,
    url: `${tls ? "https" : "http"}://127.0.0.1:${port}`,
    requests,
    log,
    keystoreFolder,
    respond: (next) => (handler = next),
    close: async () => {
      await engine.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(keystoreFolder, { recursive: true });
    },
  };
}

/** Responds with this body and status 200. */
export const json =
  (body: unknown): UpstreamHandler =>
  (_, response) =>
    response.setHeader("content-type", "application/json").end(JSON.stringify(body));

type ApiDraft = Record<string, unknown>;

/** A dataset over one API of an upstream; `entityFields` overrides fields of the external dataset. */
export function externalOver(url: string, api: ApiDraft = {}, entityFields: Record<string, unknown> = {}): QueryableDataset {
  const entity: ExternalDataset = externalDataset.parse({
    name: "Upstream",
    baseRoute: url,
    apis: [{ name: "rows", path: "/rows", method: 0, ...api }],
    ...entityFields,
  });
  const [parsed] = entity.apis;
  if (parsed === undefined) throw new Error("the external dataset has no API");
  return {
    category: entity.name,
    id: parsed.name,
    source: {
      kind: "rest",
      baseRoute: entity.baseRoute,
      api: parsed,
      keystore: entity.keystoreCredential,
      apiKeyHeader: entity.apiKeyCredential?.headerName ?? null,
      secrets: () => entity,
    },
    columns: parsed.columns ?? [],
    temporalField: null,
    location: null,
    orderBy: [],
    scope: Scope.whole,
    ownConditions: [],
    features: new Set([
      "SAMPLE",
      ...(parsed.paging ? (["PAGINATION"] as const) : []),
      ...(parsed.paging?.total ? (["COUNT"] as const) : []),
    ]),
  };
}
