import type { Routes } from "@fairway/contract/route";
import type { FastifyInstance } from "fastify";
import type { Gatekeeper } from "#http/gatekeeper.ts";
import type { Handlers } from "#http/handlers.ts";
import type { Metrics } from "#http/metrics.ts";
import { serve } from "#http/serve.ts";
import type { ShutdownStack } from "#process/shutdown-stack.ts";

/** A contract with a handler for each of its routes. */
export interface Implementation {
  readonly contract: Routes;
  serve(app: FastifyInstance, gatekeeper: Gatekeeper): void;
}

/** Binds handlers to a contract. A missing handler is a compile-time error. */
export const implement = <R extends Routes>(contract: R, handlers: Handlers<R>): Implementation => ({
  contract,
  serve: (app, gatekeeper) => serve(app, gatekeeper, contract, handlers),
});

export interface Gauge {
  readonly name: `fairway_${string}`;
  readonly help: string;
  /** Called each time the metrics are read. */
  readonly read: () => number;
}

/** An opened capability. Its own interface adds what the composition root passes to other capabilities. */
export interface Capability {
  /** Keyed by their name in the API reference. */
  readonly routes: Readonly<Record<string, Implementation>>;
  /** Also served at the root of the origin, where pages look for them. */
  readonly originRoutes?: readonly Implementation[];
  readonly gauges?: readonly Gauge[];
  /** Installs hooks for every call. Called before any route is registered. */
  readonly install?: (app: FastifyInstance) => void;
  readonly close?: () => void | Promise<void>;
}

/** Collects capabilities as they open, so that each one is served, measured and closed. */
export class CapabilityList {
  readonly #shutdown: Pick<ShutdownStack, "defer">;
  readonly #metrics: Pick<Metrics, "gauge">;
  readonly #opened: Capability[] = [];

  constructor(shutdown: Pick<ShutdownStack, "defer">, metrics: Pick<Metrics, "gauge">) {
    this.#shutdown = shutdown;
    this.#metrics = metrics;
  }

  get opened(): readonly Capability[] {
    return this.#opened;
  }

  async add<C extends Capability>(opening: C | Promise<C>): Promise<C> {
    const capability = await opening;
    this.#shutdown.defer(() => capability.close?.());
    for (const { name, help, read } of capability.gauges ?? []) this.#metrics.gauge(name, help, read);
    this.#opened.push(capability);
    return capability;
  }
}

export function serveCapability(app: FastifyInstance, gatekeeper: Gatekeeper, { routes }: Capability): void {
  for (const implementation of Object.values(routes)) implementation.serve(app, gatekeeper);
}

/** Contracts by their name in the API reference. Throws if two capabilities use the same name. */
export function contractsOf(capabilities: readonly Capability[]): Record<string, Routes> {
  const contracts: Record<string, Routes> = {};
  for (const [name, { contract }] of capabilities.flatMap(({ routes }) => Object.entries(routes))) {
    if (name in contracts) throw new Error(`two capabilities have routes named '${name}'`);
    contracts[name] = contract;
  }
  return contracts;
}
