import { setTimeout as delay } from "node:timers/promises";
import type { Column } from "@fairway/contract/columns";
import type { EntityWarning } from "@fairway/contract/entity-warning";
import { type InternalDataset, internalDataset } from "@fairway/contract/internal-datasets";
import { CachedReads } from "#process/cached-read.ts";
import { EngineFailed } from "#query/engine.ts";
import type { Engines } from "#query/engines.ts";
import { plainDataset, sampleOf } from "./inspect-source.ts";

interface Parts {
  readonly engines: Engines;
  /** How many alternatives each rule has that an engine tries one after the other. */
  readonly grantCounts: (dataset: InternalDataset) => readonly number[];
}

/** Engines look values up in one list about twenty times as fast as they try as many alternatives. */
const maxAlternatives = 10;
/** Rows from the beginning of a source in which its order shows. */
const orderRows = 1_000;
const minValues = 20;
const readMs = 10_000;
const maxCached = 1_000;

/** Warns of rules that are slow, and of columns that the stored order of rows tells although readers do not have them. */
export function ruleWarnings({ engines, grantCounts }: Parts) {
  const orders = new CachedReads<readonly string[]>(maxCached);
  const orderedBy = async ({ category, id, source }: InternalDataset, columns: readonly Column[]): Promise<readonly string[]> => {
    const { engine, release } = await engines.lease(source);
    try {
      const call = { signal: AbortSignal.timeout(readMs), owner: "portal" };
      const rows = await sampleOf(engine, plainDataset({ category, id, source, columns }), orderRows, call);
      return columns.flatMap(({ name }) => (isOrdered(rows.map((row) => row[name])) ? [name] : []));
    } catch (error) {
      // The data warnings say why the data cannot be read.
      if (error instanceof EngineFailed) return [];
      throw error;
    } finally {
      release();
    }
  };
  return async (
    entity: Readonly<Record<string, unknown>>,
    _facts: unknown,
    policy: { readonly waitMs: number },
  ): Promise<EntityWarning[]> => {
    const { version: _version, enabled: _enabled, warnings: _warnings, ...body } = entity;
    if (body["access"] === null || body["access"] === undefined) return [];
    const { data: dataset } = internalDataset.safeParse(body);
    if (dataset === undefined) return [];
    const slow = grantCounts(dataset).flatMap((count, index): EntityWarning[] =>
      count <= maxAlternatives ? [] : [{ code: "slow-rules", message: slowText(count), path: `access.rules.${index}.grants` }],
    );
    return [...slow, ...(await orderWarnings(dataset, policy.waitMs))];
  };

  async function orderWarnings(dataset: InternalDataset, waitMs: number): Promise<EntityWarning[]> {
    const columns = limitedColumns(dataset);
    // Tables of query servers have no order of their own.
    if (columns.length === 0 || dataset.source.kind !== "files") return [];
    const key = JSON.stringify([dataset.source, columns.map(({ name }) => name)]);
    const read = Promise.resolve(orders.peek(key) ?? orders.read(key, () => orderedBy(dataset, columns)));
    const timeout = new AbortController();
    const ordered = await Promise.race([read, delay(waitMs, undefined, { signal: timeout.signal }).catch(() => undefined)]);
    timeout.abort();
    return (ordered ?? []).map((name) => ({ code: "order-tells", message: orderText(name), path: pathOf(dataset, name) }));
  }
}

const slowText = (count: number): string =>
  `${count} grants of this rule are tried one after the other, which is slow. Grants that differ in the value of one '=' only are one list.`;

const orderText = (name: string): string =>
  `The data seem to be stored in the order of '${name}', which the order of rows tells. Store them in another order if that matters.`;

/** Stored columns that some readers do not have as stored. */
function limitedColumns({ schema, access }: InternalDataset): Column[] {
  const rules = access?.columns ?? [];
  const named = new Map(rules.flatMap(({ names, roles }) => names.map((name) => [name, roles] as const)));
  return schema.columns.filter(({ name, combined, computed }) => {
    if (combined !== null || computed !== undefined) return false;
    const roles = named.get(name);
    return roles === undefined ? access?.unnamedColumns === "withheld" : !roles.includes("*");
  });
}

function pathOf({ access }: InternalDataset, name: string): string {
  const index = access?.columns?.findIndex(({ names }) => names.includes(name)) ?? -1;
  return index < 0 ? "access.unnamedColumns" : `access.columns.${index}`;
}

/** Whether values never fall, or never rise, and differ often enough to tell something. */
function isOrdered(values: readonly unknown[]): boolean {
  const present = values.filter((value): value is string | number => typeof value === "string" || typeof value === "number");
  if (new Set(present).size < minValues) return false;
  const pairs = present.slice(1).map((value, index) => compared(present[index] ?? value, value));
  return pairs.every((sign) => sign <= 0) || pairs.every((sign) => sign >= 0);
}

const compared = (one: string | number, other: string | number): number => (one < other ? -1 : one > other ? 1 : 0);
