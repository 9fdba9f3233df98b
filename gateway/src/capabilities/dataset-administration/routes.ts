import { posix } from "node:path";
import type { datasetAdministration } from "@fairway/contract/dataset-administration";
import type { InternalDataset } from "@fairway/contract/internal-datasets";
import type { Entity } from "@fairway/contract/entities";
import { trimCharacters } from "@fairway/contract/trim-characters";
import type { Handlers, SignedInUser } from "#http/handlers.ts";
import { Refusal } from "#http/refusal.ts";
import { EngineFailed, type QueryEngine, UnreadableData } from "#query/engine.ts";
import { listFolder, sourceOf } from "./data-folder.ts";
import { propose } from "./propose.ts";
import type { SchemaUpdates } from "./schema-updates.ts";

export interface Parts {
  readonly datasets: {
    /** Saves the dataset that `change` returns, with a revision. Refuses with not-found. */
    amend(id: string, action: "description", by: SignedInUser, change: (entity: Entity) => Record<string, unknown>): Promise<Entity>;
  };
  readonly updates: Pick<SchemaUpdates, "start" | "get">;
  readonly engine: Pick<QueryEngine, "columns" | "sample" | "suggest" | "inspect">;
  readonly dataFolder: string;
  readonly sampleRows: number;
}

/** Routes of internal datasets in addition to those of every entity type. */
export function datasetAdministrationRoutes(parts: Parts): Handlers<typeof datasetAdministration> {
  const { datasets, updates, engine, dataFolder, sampleRows } = parts;
  return {
    describe: async ({ params, body, user }) => {
      if (body.datasetId !== params.id)
        throw new Refusal("invalid-request", "'datasetId' is not the dataset of the path.", { path: "datasetId" });
      return datasets.amend(params.id, "description", user, (entity) => {
        const { schema } = entity as unknown as InternalDataset;
        const texts = new Map(body.columnDescriptions.map(({ columnName, description }) => [columnName, description]));
        const unknown = [...texts.keys()].findIndex((name) => !schema.columns.some((column) => column.name === name));
        if (unknown >= 0) {
          const path = `columnDescriptions.${unknown}.columnName`;
          throw new Refusal("unknown-column", `'${path}': there is no such column.`, { path });
        }
        const columns = schema.columns.map((column) =>
          Object.assign({}, column, { description: texts.get(column.name) ?? column.description }),
        );
        return { ...entity, description: body.description, schema: { columns } };
      });
    },
    updateSchema: ({ params, user }) => updates.start(params.id, user),
    schemaUpdate: ({ params }) => updates.get(params.id, params.jobId),
    dataFolder: ({ query }) => listFolder(dataFolder, query.path),
    inspect: async ({ body, user, signal }) => {
      const call = { signal, owner: user.id, user: user.username };
      const { files, ...found } = await sourceOf(dataFolder, body.path);
      // A path with a control character cannot be saved as a source.
      if (/\p{Cc}/u.test(found.glob)) {
        throw new Refusal("not-supported", "The name of the file or a folder holds a control character. Rename it to use it.", {
          path: "path",
        });
      }
      const source = { kind: "files" as const, ...found };
      const id = idFromPath(body.path);
      try {
        const columns = await engine.columns(source, call);
        const dataset = { category: "", id, source, columns, temporalField: null, location: null, orderBy: [], features: new Set<never>() };
        const { chunks } = await engine.sample(dataset, { conditions: [], limit: sampleRows }, call);
        let text = "";
        for await (const chunk of chunks) text += chunk;
        const sample = JSON.parse(`[${text}]`) as Record<string, unknown>[];
        const hasRepeatedValues = async (column: string): Promise<boolean> => {
          const request = { column, contains: "", rows: rowsForRepeats };
          const { values = [] } = (await engine.suggest?.(dataset, request, { timeRange: null, conditions: [] }, call)) ?? {};
          return values.some(({ rows }) => rows > 1);
        };
        const name = { id, category: categoryOf(body.path) };
        const proposal = await propose(name, source, { columns, sample, hasRepeatedValues });
        const described = proposal.dataset.schema.columns.filter(({ combined }) => combined === null);
        const unread = (await engine.inspect?.(source, described, call)) ?? [];
        return { ...proposal, problems: [...unread, ...proposal.problems], files, sample };
      } catch (error) {
        // Files that do not have the format of their extension are an expected result, not a failure.
        if (error instanceof EngineFailed && (error.reason === "failed" || error.reason === "not-ready")) {
          const why = error.cause instanceof UnreadableData ? `: ${error.cause.detail}` : "";
          const message = `'${body.path}' cannot be read as ${formatNames[found.format]}${why}.`;
          throw new Refusal("not-supported", message, { path: "path", cause: error });
        }
        throw error;
      }
    },
  };
}

const formatNames = { parquet: "Parquet", csv: "CSV", json: "JSON" } as const;

/** Number of rows in which to look for repeated values. */
const rowsForRepeats = 20_000;

/** The outermost folder of the data as a readable name; empty without a folder. */
function categoryOf(path: string): string {
  const [outermost = "", ...rest] = posix.normalize(path).split("/").filter(Boolean);
  const words = outermost.replaceAll(/[-_]+/g, " ").trim();
  return rest.length === 0 ? "" : words.charAt(0).toUpperCase() + words.slice(1);
}

/** An id derived from the last segment of a path. */
const idFromPath = (path: string): string =>
  trimCharacters(
    posix
      .basename(posix.normalize(path))
      .replace(/(\.[a-z]+){1,2}$/i, "")
      .replaceAll(/[^\w-]+/g, "-"),
    "-",
  )
    .toLowerCase()
    .slice(0, 100) || "data";
