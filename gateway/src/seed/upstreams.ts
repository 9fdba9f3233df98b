import { connect } from "node:net";
import type { ExternalDataset } from "@fairway/contract/external-datasets";
import type { Upstream } from "@fairway/contract/recipes";
import { externalDatasets } from "#entities/entity-types.ts";
import type { EntityStore } from "#entities/store.ts";
import { Refusal } from "#http/refusal.ts";
import { runEvery } from "#process/run-every.ts";

interface Parts {
  readonly entities: Pick<EntityStore, "createIfAbsent" | "get" | "list" | "replace">;
  readonly log: { warn(details: object, message: string): void };
  /** How often the address is checked. */
  readonly checkMs: number;
}

const connectMs = 2_000;

/**
 * Starts the services and puts their addresses, which change with each start, into their external datasets. Of several gateways, the
 * last one to start serves them; when it has ended, another one puts its own address there. Returns a function that closes the services.
 */
export async function startUpstreams(starts: readonly (() => Promise<Upstream>)[], parts: Parts): Promise<() => Promise<void>> {
  const upstreams = await Promise.all(starts.map((start) => start()));
  for (const { entity } of upstreams) {
    if (!(await parts.entities.createIfAbsent(externalDatasets, entity))) await putAddress(entity, parts.entities);
  }
  const checks = runEvery(
    parts.checkMs,
    async () => {
      for (const { entity } of upstreams) await replaceEnded(entity, parts.entities);
    },
    (error) => parts.log.warn({ err: error }, "the addresses of the demo's services could not be checked"),
  );
  return async () => {
    await checks.close();
    for (const upstream of upstreams) await upstream.close();
  };
}

/** Keeps the address if an administrator changed the host. */
async function putAddress(entity: ExternalDataset, entities: Parts["entities"]): Promise<void> {
  const { body, version } = await entities.get(externalDatasets, entity.name);
  if (new URL(body.baseRoute).hostname !== new URL(entity.baseRoute).hostname) return;
  const { baseRoute, apiKeyCredential } = entity;
  await entities.replace(externalDatasets, entity.name, { ...body, baseRoute, apiKeyCredential }, version);
}

async function replaceEnded(entity: ExternalDataset, entities: Parts["entities"]): Promise<void> {
  const stored = (await entities.list(externalDatasets)).find(({ body }) => body.name === entity.name)?.body;
  if (stored === undefined || stored.baseRoute === entity.baseRoute) return;
  const { hostname, port } = new URL(stored.baseRoute);
  if (hostname !== new URL(entity.baseRoute).hostname || (await accepts(hostname, Number(port)))) return;
  try {
    await putAddress(entity, entities);
  } catch (error) {
    // An administrator has deleted the dataset meanwhile, or another gateway or administrator was first: the next check sees it.
    if (!(error instanceof Refusal && (error.code === "not-found" || error.code === "stale-version"))) throw error;
  }
}

function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: connectMs });
    const end = (isAccepted: boolean) => {
      socket.destroy();
      resolve(isAccepted);
    };
    socket.once("connect", () => end(true));
    socket.once("error", () => end(false));
    socket.once("timeout", () => end(false));
  });
}
