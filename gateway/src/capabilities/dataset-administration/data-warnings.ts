import { setTimeout as delay } from "node:timers/promises";
import { isBucketGlob } from "@fairway/contract/bucket-globs";
import { type ColumnType, column, isNumeric, isTimestamp } from "@fairway/contract/columns";
import { formatCount, plural, pluralize } from "@fairway/contract/counts";
import type { EntityWarning } from "@fairway/contract/entity-warning";
import type { ReadingQuestion } from "@fairway/contract/readings";
import { datasetSource } from "@fairway/contract/internal-datasets";
import { z } from "zod";
import { type EngineCall, EngineFailed, type QueryEngine, type SourceProblem } from "#query/engine.ts";
import type { Engines } from "#query/engines.ts";

/** The parts of a stored dataset that describe its data. */
const describedData = z.object({
  source: datasetSource,
  schema: z.object({ columns: z.array(column.pick({ name: true, type: true, combined: true, computed: true })) }),
});
type DescribedData = z.infer<typeof describedData>;
type Warnings = readonly EntityWarning[];

interface WaitPolicy {
  readonly waitMs: number;
  readonly warnsOnTimeout: boolean;
}

/** Lists do not repeat a check within this time. */
const cacheMs = 5_000;
/** Maximum number of concurrent checks; the engine's other slots are left to searches. */
const maxConcurrentChecks = 2;
const checkTimeoutMs = 20_000;
const maxCached = 5_000;

interface PendingCheck {
  readonly key: string;
  readonly entity: Readonly<Record<string, unknown>>;
  /** Resolved with undefined if the engine could not check. */
  readonly resolve: (found: Warnings | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Checks whether the data of internal datasets can be read as described. Callers wait for a limited time; a check that takes longer
 * continues and is cached, so that a list of hundreds of datasets is complete the next time it is requested.
 */
export class DataWarnings {
  readonly #engines: Engines;
  /** Results by the checked parts, oldest first. */
  readonly #cache = new Map<string, { readonly warnings: Warnings; readonly atMs: number }>();
  readonly #queue: PendingCheck[] = [];
  readonly #pending = new Map<string, Promise<Warnings | undefined>>();
  #running = 0;
  readonly #closing = new AbortController();

  constructor(engines: Engines) {
    this.#engines = engines;
  }

  readonly check = async (entity: Readonly<Record<string, unknown>>, _facts: unknown, policy: WaitPolicy): Promise<Warnings> => {
    const key = JSON.stringify([entity["source"], entity["schema"]]);
    const cached = this.#cache.get(key);
    if (cached !== undefined && !policy.warnsOnTimeout && Date.now() - cached.atMs < cacheMs) return cached.warnings;
    const check = this.#pending.get(key) ?? this.#enqueue(key, entity, policy.warnsOnTimeout);
    const timeout = new AbortController();
    const found = await Promise.race([check, delay(policy.waitMs, undefined, { signal: timeout.signal }).catch(() => undefined)]);
    timeout.abort();
    return found ?? cached?.warnings ?? (policy.warnsOnTimeout ? [unknown] : []);
  };

  close(): void {
    this.#closing.abort(new Error("the gateway is stopping"));
    for (const { resolve } of this.#queue.splice(0)) resolve(undefined);
  }

  #enqueue(key: string, entity: Readonly<Record<string, unknown>>, isFirst: boolean): Promise<Warnings | undefined> {
    const found = new Promise<Warnings | undefined>((resolve, reject) => {
      const check = { key, entity, resolve, reject };
      // Checks of single entities go before those of lists.
      if (isFirst) this.#queue.unshift(check);
      else this.#queue.push(check);
    });
    this.#pending.set(key, found);
    this.#next();
    return found;
  }

  #next(): void {
    if (this.#running >= maxConcurrentChecks) return;
    const check = this.#queue.shift();
    if (check === undefined) return;
    this.#running += 1;
    void this.#run(check).finally(() => {
      this.#running -= 1;
      this.#pending.delete(check.key);
      this.#next();
    });
  }

  async #run({ key, entity, resolve, reject }: PendingCheck): Promise<void> {
    try {
      const { success, data } = describedData.safeParse(entity);
      // Datasets that no longer match their schema are not listed, and the editor shows why.
      const warnings = success ? await this.#check(data) : [];
      this.#remember(key, warnings);
      resolve(warnings);
    } catch (error) {
      // A busy or closing engine has not checked anything: keep the cached result.
      if (error instanceof EngineFailed) resolve(undefined);
      else reject(error);
    }
  }

  async #check(data: DescribedData): Promise<Warnings> {
    const { engine, release } = await this.#engines.lease(data.source);
    try {
      return await this.#checkWith(engine, data);
    } finally {
      release();
    }
  }

  async #checkWith(engine: QueryEngine, { source, schema }: DescribedData): Promise<Warnings> {
    const columns = schema.columns.filter(isStored);
    const call = { signal: AbortSignal.any([this.#closing.signal, AbortSignal.timeout(checkTimeoutMs)]), owner: "portal" };
    const problems = (await engine.check?.({ source, columns }, call)) ?? [];
    if (problems.length > 0) return warningsOf({ source, schema }, problems);
    const unread = (await engine.inspect?.(source, columns, call)) ?? [];
    const unconfirmed = await unconfirmedReading(engine, { source, schema }, call);
    return [...unread.map((message): EntityWarning => ({ code: "data-incomplete", message, path: "source" })), ...unconfirmed];
  }

  #remember(key: string, warnings: Warnings): void {
    this.#cache.delete(key);
    this.#cache.set(key, { warnings, atMs: Date.now() });
    const [oldest = ""] = this.#cache.keys();
    if (this.#cache.size > maxCached) this.#cache.delete(oldest);
  }
}

/** Whether the data hold a column. */
const isStored = ({ combined, computed }: DescribedData["schema"]["columns"][number]): boolean =>
  combined === null && computed === undefined;

const maxNamedColumns = 10;

/** Questions that nobody has answered stay open when a dataset is saved. */
function openQuestions(questions: readonly ReadingQuestion[]): Warnings {
  const open = questions.filter(({ isAnswered }) => !isAnswered);
  if (open.length === 0) return [];
  const columns = [...new Set(open.flatMap((question) => question.columns))];
  const more = columns.length > maxNamedColumns ? ` and ${formatCount(columns.length - maxNamedColumns)} more` : "";
  const named = columns.slice(0, maxNamedColumns).map((name) => `'${name}'`);
  const where = columns.length === 0 ? "" : ` (${named.join(", ")}${more})`;
  const message = `${pluralize(open.length, "question")} about how the files are read ${plural(open.length, "is", "are")} open${where}. Answer ${plural(open.length, "it", "them")} in How Files Are Read.`;
  return [{ code: "reading-unconfirmed", message, path: "source.reading" }];
}

/** Of text files without a stored reading: columns of which the rules assume something, or which they read otherwise than they are described. */
async function unconfirmedReading(engine: QueryEngine, { source, schema }: DescribedData, call: EngineCall): Promise<Warnings> {
  if (source.kind !== "files" || source.format === "parquet") return [];
  const understood = await engine.reading?.(source, call);
  if (understood == null) return [];
  if (source.reading !== undefined) return openQuestions(understood.reading.questions);
  const described = new Map(schema.columns.filter(isStored).map(({ name, type }) => [name, type]));
  const reasons = understood.reading.columns.flatMap(({ name, type, state, unreadable }): string[] => {
    const declared = described.get(name);
    if (declared === undefined) return [];
    if (unreadable.count > 0) return [`'${name}' (${pluralize(unreadable.count, "value")} cannot be read)`];
    if (!isSameKind(declared, type)) return [`'${name}' (${declared}, but its values look like ${type})`];
    return state === "sure" ? [] : [`'${name}' (assumed)`];
  });
  if (reasons.length === 0 && understood.reading.questions.length === 0) return [];
  const named = reasons.slice(0, maxNamedColumns).join(", ");
  const more = reasons.length > maxNamedColumns ? ` and ${formatCount(reasons.length - maxNamedColumns)} more` : "";
  const what = reasons.length === 0 ? "of the files" : `of ${named}${more}`;
  const message = `How the values ${what} are read is not confirmed. Look at the reading, and save the dataset or update its schema to keep it.`;
  return [{ code: "reading-unconfirmed", message, path: "source.reading" }];
}

/** Whether a described type loses nothing of what was found. */
function isSameKind(declared: ColumnType, found: ColumnType): boolean {
  if (declared === found || (isTimestamp(declared) && (isTimestamp(found) || isNumeric(found)))) return true;
  return declared === "decimal" && found === "integer";
}

const unknown: EntityWarning = {
  code: "not-checked",
  message: "It took too long to find out whether the data can be read.",
  path: "source",
};

/** Warnings for administrators, who may see file names. */
function warningsOf({ source, schema }: DescribedData, problems: readonly SourceProblem[]): Warnings {
  const named = source.kind === "files" ? source.glob : source.name;
  return problems.map(({ code, column: name = "", detail = "" }): EntityWarning => {
    const index = schema.columns.findIndex((candidate) => candidate.name === name);
    const type = schema.columns[index]?.type ?? "";
    switch (code) {
      case "data-missing":
        return {
          code,
          message: isBucketGlob(named) ? `No file on S3 matches '${named}'.` : `No file below the data folder matches '${named}'.`,
          path: "source.glob",
        };
      case "data-unreadable":
        return { code, message: `The data files cannot be read${detail === "" ? "." : `: ${detail}`}`, path: "source" };
      case "column-missing":
        return { code, message: `The data files have no column '${name}'.`, path: `schema.columns.${index}.name` };
      case "column-type":
        return {
          code,
          message: `The column '${name}' is described as ${type}, but the data files contain ${detail}.`,
          path: `schema.columns.${index}.type`,
        };
      case "no-engine":
        return { code, message: `No engine is connected that has the table '${named}'.`, path: "source" };
      default:
        return code satisfies never;
    }
  });
}
