import { z } from "zod";
import { column } from "./columns.ts";
import { reading, readingChoices, readingHints, storedReading } from "./readings.ts";
import { route } from "./route.ts";
import { prose } from "./text.ts";
import { recordOf } from "./records.ts";

const id = z.string().max(1_000);
const byId = z.object({ id });

/** The system's descriptions of a dataset and its columns, separate from what users add. Omitted columns keep their description. */
const systemDescriptions = z
  .object({
    datasetId: id,
    description: prose(20_000),
    columnDescriptions: z.array(z.object({ columnName: z.string().max(1_000), description: prose(5_000) })).max(1_000),
  })
  .meta({ id: "SystemDescriptions" });

export const schemaUpdateStatus = z.enum(["running", "done", "failed"]);

/** Result of a schema update. Columns that still exist keep their descriptions. */
const schemaChanges = z.object({
  added: z.array(z.string()),
  removed: z.array(z.string()),
  changed: z.array(z.object({ name: z.string(), from: z.string(), to: z.string() })),
  unchanged: z.int(),
  /** Of text files: what no longer fits their stored reading, in sentences; empty if everything does. */
  reading: z.array(z.string()).optional(),
  /** Columns of the data that cannot be read, with the reason, in sentences. */
  leftOut: z.array(z.string()).optional(),
  /** Of a dataset with access rules: new columns, which no rule names, so that all of its readers see them. Omitted if there are none. */
  open: z.array(z.string()).optional(),
});
export type SchemaChanges = z.infer<typeof schemaChanges>;

const schemaUpdate = z
  .object({
    jobId: z.string(),
    status: schemaUpdateStatus,
    /** Completed steps, total steps and the current step. */
    progress: z.object({ done: z.int(), total: z.int(), step: z.string() }),
    startedMs: z.int(),
    finishedMs: z.int().nullable(),
    /** Null until it is done. */
    result: schemaChanges.nullable(),
    /** Why it failed; null otherwise. */
    problem: z.string().nullable(),
  })
  .meta({ id: "SchemaUpdate" });
export type SchemaUpdate = z.infer<typeof schemaUpdate>;

const dataPath = z.string().max(1_000);

const dataEntry = z.object({
  name: z.string(),
  /** Relative to the data folder. */
  path: z.string(),
  kind: z.enum(["folder", "file"]),
  /** Size of a file; null for a folder. */
  bytes: z.int().nullable(),
});
export type DataEntry = z.infer<typeof dataEntry>;

/** One folder of a bucket, or the buckets. */
const bucketLevel = z
  .object({
    /** Folders first; a page holds at most 1,000 entries. */
    entries: z.array(
      z.object({
        name: z.string(),
        /** `s3://bucket/folder`, to be listed or inspected. */
        path: z.string(),
        kind: z.enum(["folder", "file"]),
        /** Size of a file; null for a folder. */
        bytes: z.int().nullable(),
      }),
    ),
    /** Token to send for the next page; null on the last one. */
    next: z.string().nullable(),
  })
  .meta({ id: "BucketLevel" });
export type BucketLevel = z.infer<typeof bucketLevel>;

/** One level of the query server: its catalogs, the schemas of a catalog, or the tables of a schema. */
const tableLevel = z
  .object({
    kind: z.enum(["catalog", "schema", "table"]),
    entries: z.array(
      z.object({
        name: z.string(),
        /** The full name, quoted where necessary: what to list next, or the table to inspect. */
        path: z.string(),
      }),
    ),
    /** Whether there are more entries than a response holds; a part of the name finds them. */
    isCut: z.boolean(),
  })
  .meta({ id: "TableLevel" });
export type TableLevel = z.infer<typeof tableLevel>;

/** `catalog.schema.table` or the beginning of it; parts with dots or capitals are in double quotes. */
const tablePath = z.string().max(500);

const foundDataset = z.object({
  /** An internal dataset that can be saved once it has a category. */
  dataset: recordOf(z.string(), z.unknown()),
  /** The first rows. */
  sample: z.array(recordOf(z.string(), z.unknown())),
  /** Assumptions that were made, in sentences. */
  notes: z.array(z.string()),
  /** Data that cannot be read or is left out of the dataset, in sentences: a count and the first example of each kind. */
  problems: z.array(z.string()),
});

const proposal = foundDataset
  .extend({
    files: z.int(),
    /** How text files were read; null for Parquet. The dataset's `source.reading` stores it. */
    reading: reading.nullable().optional(),
  })
  .meta({ id: "DatasetProposal" });

/** How the files of a dataset are read. */
const datasetReading = z
  .object({
    reading,
    /** The same as `source.reading` of the dataset stores it, with the choices of this call. */
    stored: storedReading,
    /** Whether the dataset has a stored reading. */
    isStored: z.boolean(),
    /** Contradictions of the stored reading, in sentences. */
    differences: z.array(z.string()),
    /** The dataset's columns for this reading: to be saved together with `stored`. */
    columns: z.array(column).optional(),
    /** How these differ from the columns of the dataset. */
    changes: schemaChanges.optional(),
    /** The first rows, read like this. */
    sample: z.array(recordOf(z.string(), z.unknown())).optional(),
  })
  .meta({ id: "DatasetReading" });
export type DatasetReading = z.infer<typeof datasetReading>;
const tableProposal = foundDataset.meta({ id: "TableProposal" });

/** Calls on internal datasets in addition to those that every entity type has. */
export const datasetAdministration = {
  describe: route({
    method: "PUT",
    path: "/admin/datasets/internal/:id/description",
    access: { role: "admin" },
    summary: "Save the system descriptions of a dataset and its columns.",
    params: byId,
    body: systemDescriptions,
    response: z.looseObject({ version: z.int() }),
  }),
  updateSchema: route({
    method: "GET",
    path: "/admin/datasets/internal/:id/schema/update",
    access: { role: "admin" },
    audit: "security",
    summary: "Read the columns from the data again. Returns the job: the running one if there is one.",
    params: byId,
    response: schemaUpdate,
    status: 202,
  }),
  schemaUpdate: route({
    method: "GET",
    path: "/admin/datasets/internal/:id/schema/update/:jobId",
    access: { role: "admin" },
    summary: "How far a schema update is, and what it found.",
    params: byId.extend({ jobId: z.string().max(100) }),
    response: schemaUpdate,
  }),
  dataFolder: route({
    method: "GET",
    path: "/admin/dataFolder",
    access: { role: "admin" },
    summary: "Folders and data files of one folder below the data folder, by name.",
    query: z.object({ path: dataPath.default("") }),
    response: z.array(dataEntry),
  }),
  buckets: route({
    method: "GET",
    path: "/admin/buckets",
    access: { role: "admin" },
    summary: "Buckets and folders of buckets that datasets may read, or folders and data files of one folder there, by name.",
    query: z.object({ within: dataPath.default(""), next: z.string().max(5_000).optional() }),
    response: bucketLevel,
  }),
  inspect: route({
    method: "POST",
    path: "/admin/datasets/internal/inspect",
    access: { role: "admin" },
    summary: "Look at a file or folder below the data folder or in a bucket (`s3://…`), and propose a dataset of it. Stores nothing.",
    body: z.object({ path: dataPath.min(1), choices: readingChoices.optional(), hints: readingHints.optional() }),
    response: proposal,
  }),
  reading: route({
    method: "POST",
    path: "/admin/datasets/internal/:id/reading",
    access: { role: "admin" },
    summary: "What is understood of a dataset's text files, with choices instead of stored ones where there are any. Stores nothing.",
    params: byId,
    body: z.object({ choices: readingChoices.optional(), hints: readingHints.optional() }),
    response: datasetReading,
  }),
  tables: route({
    method: "GET",
    path: "/admin/tables",
    access: { role: "admin" },
    summary: "Catalogs of the query server, schemas of a catalog, or tables of a schema, by name; at most 200.",
    query: z.object({ within: tablePath.default(""), contains: z.string().max(200).default("") }),
    response: tableLevel,
  }),
  inspectTable: route({
    method: "POST",
    path: "/admin/datasets/internal/inspectTable",
    access: { role: "admin" },
    summary: "Look at a table of the query server, and propose a dataset of it. Stores nothing.",
    body: z.object({ table: tablePath.min(1) }),
    response: tableProposal,
  }),
};
