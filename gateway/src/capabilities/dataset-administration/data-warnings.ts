import { setTimeout as delay } from "node:timers/promises";
import { column } from "@fairway/contract/columns";
import type { EntityWarning } from "@fairway/contract/entities";
import { datasetSource } from "@fairway/contract/internal-datasets";
import { z } from "zod";
import { EngineFailed, type QueryEngine, type SourceProblem } from "#query/engine.ts";
import type { Engines } from "#query/engines.ts";

/** What of a stored dataset says where its data are and how they look. */
const describedData = z.object({
  source: datasetSource,
  schema: z.object({ columns: z.array(column.pick({ name: true, type: true, combined: true })) }),
});
type DescribedData = z.infer<typeof describedData>;
type Warnings = readonly EntityWarning[];

interface Patience {
  readonly waitMs: number;
  readonly saysUnknown: boolean;
}

/** Within this time nobody looks again for a list. */
const freshMs = 5_000;
/** Looks side by side: the other slots of the engine are for searches. */
const looksAtOnce = 2;
const lookMs = 20_000;
const mostKnown = 5_000;

interface Look {
  readonly key: string;
  readonly entity: Readonly<Record<string, unknown>>;
  /** Undefined: the engine could not look. */
  readonly resolve: (found: Warnings | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Finds out whether the data of internal datasets can be read as described. Answers wait only so long; a look that takes longer goes on
 * and is remembered, so that a list of hundreds of datasets is complete the next time it is asked for.
 */
export class DataWarnings {
  readonly #engines: Engines;
  /** By what is looked at; the oldest first. */
  readonly #known = new Map<string, { readonly warnings: Warnings; readonly atMs: number }>();
  readonly #waiting: Look[] = [];
  readonly #underWay = new Map<string, Promise<Warnings | undefined>>();
  #running = 0;
  readonly #closing = new AbortController();

  constructor(engines: Engines) {
    this.#engines = engines;
  }

  readonly check = async (entity: Readonly<Record<string, unknown>>, _facts: unknown, patient: Patience): Promise<Warnings> => {
    const key = JSON.stringify([entity["source"], entity["schema"]]);
    const known = this.#known.get(key);
    if (known !== undefined && !patient.saysUnknown && Date.now() - known.atMs < freshMs) return known.warnings;
    const look = this.#underWay.get(key) ?? this.#begin(key, entity, patient.saysUnknown);
    const waited = new AbortController();
    const found = await Promise.race([look, delay(patient.waitMs, undefined, { signal: waited.signal }).catch(() => undefined)]);
    waited.abort();
    return found ?? known?.warnings ?? (patient.saysUnknown ? [unknown] : []);
  };

  close(): void {
    this.#closing.abort(new Error("the gateway stops"));
    for (const { resolve } of this.#waiting.splice(0)) resolve(undefined);
  }

  #begin(key: string, entity: Readonly<Record<string, unknown>>, isFirst: boolean): Promise<Warnings | undefined> {
    const found = new Promise<Warnings | undefined>((resolve, reject) => {
      const look = { key, entity, resolve, reject };
      // Somebody waits for a single one; those of a list can wait.
      if (isFirst) this.#waiting.unshift(look);
      else this.#waiting.push(look);
    });
    this.#underWay.set(key, found);
    this.#next();
    return found;
  }

  #next(): void {
    if (this.#running >= looksAtOnce) return;
    const look = this.#waiting.shift();
    if (look === undefined) return;
    this.#running += 1;
    void this.#carryOut(look).finally(() => {
      this.#running -= 1;
      this.#underWay.delete(look.key);
      this.#next();
    });
  }

  async #carryOut({ key, entity, resolve, reject }: Look): Promise<void> {
    try {
      const { success, data } = describedData.safeParse(entity);
      // What no longer fits its schema is not offered to anybody, and the editor shows why.
      const warnings = success ? await this.#look(data) : [];
      this.#remember(key, warnings);
      resolve(warnings);
    } catch (error) {
      // An engine that is busy or closing has not looked: what was known before stays.
      if (error instanceof EngineFailed) resolve(undefined);
      else reject(error);
    }
  }

  async #look(data: DescribedData): Promise<Warnings> {
    const { engine, release } = await this.#engines.lease(data.source);
    try {
      return await this.#lookWith(engine, data);
    } finally {
      release();
    }
  }

  async #lookWith(engine: QueryEngine, { source, schema }: DescribedData): Promise<Warnings> {
    const columns = schema.columns.filter(({ combined }) => combined === null);
    const call = { signal: AbortSignal.any([this.#closing.signal, AbortSignal.timeout(lookMs)]), owner: "portal" };
    const problems = (await engine.check?.({ source, columns }, call)) ?? [];
    if (problems.length > 0) return warningsOf({ source, schema }, problems);
    const unread = (await engine.inspect?.(source, columns, call)) ?? [];
    return unread.map((message): EntityWarning => ({ code: "data-incomplete", message, path: "source" }));
  }

  #remember(key: string, warnings: Warnings): void {
    this.#known.delete(key);
    this.#known.set(key, { warnings, atMs: Date.now() });
    const [oldest = ""] = this.#known.keys();
    if (this.#known.size > mostKnown) this.#known.delete(oldest);
  }
}

const unknown: EntityWarning = {
  code: "not-checked",
  message: "It took too long to find out whether the data can be read.",
  path: "source",
};

/** For administrators, who may know the names of files. */
function warningsOf({ source, schema }: DescribedData, problems: readonly SourceProblem[]): Warnings {
  const named = source.kind === "files" ? source.glob : source.name;
  return problems.map(({ code, column: name = "", detail = "" }): EntityWarning => {
    const index = schema.columns.findIndex((one) => one.name === name);
    const type = schema.columns[index]?.type ?? "";
    switch (code) {
      case "data-missing":
        return { code, message: `No file below the data folder matches '${named}'.`, path: "source.glob" };
      case "data-unreadable":
        return { code, message: `The data files cannot be read${detail === "" ? "." : `: ${detail}`}`, path: "source" };
      case "column-missing":
        return { code, message: `The data files have no column '${name}'.`, path: `schema.columns.${index}.name` };
      case "column-type":
        return {
          code,
          message: `The column '${name}' is described as ${type}, but the data files hold ${detail}.`,
          path: `schema.columns.${index}.type`,
        };
      case "no-engine":
        return { code, message: `No engine is connected that has the table '${named}'.`, path: "source" };
      default:
        return code satisfies never;
    }
  });
}
