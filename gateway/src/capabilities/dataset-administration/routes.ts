import type { datasetAdministration } from "@fairway/contract/dataset-administration";
import type { DateOrder, ReadingHints } from "@fairway/contract/readings";
import type { InternalDataset } from "@fairway/contract/internal-datasets";
import type { Entity } from "@fairway/contract/entities";
import type { Handlers } from "#http/handlers.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";
import type { EngineCall } from "#query/engine.ts";
import { listBucket } from "./bucket-folder.ts";
import { listFolder } from "./data-folder.ts";
import { type FileInspectionParts, inspectFiles } from "./inspect-files.ts";
import { type DatasetReadingParts, datasetReading } from "./dataset-reading.ts";
import { type TableInspectionParts, inspectTable, listTables } from "./inspect-table.ts";
import type { SchemaUpdates } from "./schema-updates.ts";

export interface Parts extends FileInspectionParts, TableInspectionParts, DatasetReadingParts {
  readonly datasets: DatasetReadingParts["datasets"] & {
    /** Saves the dataset that `change` returns, with a revision. Refuses with not-found. */
    amend(id: string, action: "description", by: SignedInUser, change: (entity: Entity) => Record<string, unknown>): Promise<Entity>;
  };
  readonly updates: Pick<SchemaUpdates, "start" | "get">;
  /** The order of days and months that administrators have set for the portal; null if they have not. Default: null. */
  readonly dateOrder?: () => Promise<DateOrder | null>;
}

/** Routes of internal datasets in addition to those of every entity type. */
export function datasetAdministrationRoutes(parts: Parts): Handlers<typeof datasetAdministration> {
  const { datasets, updates, dataFolder } = parts;
  /** The portal's setting goes before the suggestion of a browser. */
  const withPortal = async <Body extends { readonly hints?: ReadingHints | undefined }>(body: Body): Promise<Body> => {
    const dateOrder = (await parts.dateOrder?.()) ?? null;
    return dateOrder === null ? body : { ...body, hints: { ...body.hints, dateOrder } };
  };
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
    buckets: ({ query, user, signal }) => listBucket(parts.buckets, query, callOf(user, signal)),
    inspect: async ({ body, user, signal }) => inspectFiles(parts, body.path, callOf(user, signal), await withPortal(body)),
    reading: async ({ params, body, user, signal }) => datasetReading(parts, params.id, await withPortal(body), callOf(user, signal)),
    tables: ({ query, user, signal }) => listTables(parts, query, callOf(user, signal)),
    inspectTable: ({ body, user, signal }) => inspectTable(parts, body.table, callOf(user, signal)),
  };
}

const callOf = (user: SignedInUser, signal: AbortSignal): EngineCall => ({ signal, owner: user.id, user: user.username });
