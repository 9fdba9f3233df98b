import { z } from "zod";
import { column, columnType } from "./columns.ts";
import { datasetRef } from "./datasets.ts";
import { partConfirmation, partSignature, partUrl, partUrlQuery } from "./fileset-uploads.ts";
import { dateOrder, decimalMark, reading, readingHints, textEncoding } from "./readings.ts";
import { recordOf } from "./records.ts";
import { route } from "./route.ts";
import { cellValue } from "./search.ts";
import { prose } from "./text.ts";
import { zoneName } from "./time-zones.ts";

/** Files of one import. */
export const maxImportFiles = 500;

const importParams = z.object({ id: z.string() });
const partParams = importParams.extend({ n: z.string(), part: z.string() });

/**
 * `uploading`: bytes are missing. `reading`: the files are examined. `ready`: waits for choices, or to become a dataset. `creating`: the
 * dataset is written. `done`: `dataset` names it. `failed`: `failure` says why; choices may lead on.
 */
export const importStatus = z.enum(["uploading", "reading", "ready", "creating", "done", "failed"]);
export type ImportStatus = z.infer<typeof importStatus>;

/** `read-again`: the files that a dataset was made of are read in another way; the rows become a new version. */
export const importInto = datasetRef.extend({ mode: z.enum(["append", "replace", "read-again"]) });
export type ImportInto = z.infer<typeof importInto>;

/** How the files, or what is read of them, differ from their dataset. Each kind that is listed has to be accepted. */
export const driftKind = z.enum(["new-column", "missing-column", "does-not-fit", "other-format", "same-file"]);
export type DriftKind = z.infer<typeof driftKind>;

const drift = z.object({
  kind: driftKind,
  column: z.string().optional(),
  file: z.string().optional(),
  /** Values that do not fit. */
  count: z.int().optional(),
  /** The difference, and what happens if it is accepted. */
  sentence: z.string(),
});
export type Drift = z.infer<typeof drift>;

/** Files of an archive that have the same header, and are one dataset together: the first names, and how many there are. */
const archivedFiles = z.object({ names: z.array(z.string()), count: z.int(), format: z.string(), bytes: z.int() });
export type ArchivedFiles = z.infer<typeof archivedFiles>;

const importFile = z.object({
  /** Counts from 1. */
  number: z.int(),
  file: z.string(),
  /** Bytes. */
  size: z.int(),
  /** Bytes of every part but the last, which has the rest. */
  partBytes: z.int(),
  /** Numbers of the parts that are stored, from 1. */
  received: z.array(z.int()),
  /** As it was given at the start. */
  version: z.string().nullish(),
  /** Of a ZIP file that has been read: the files that are taken, and others that could be taken instead. */
  contents: z.object({ taken: archivedFiles, others: z.array(archivedFiles) }).optional(),
});
export type ImportFile = z.infer<typeof importFile>;

/** A row of the sample: values by column name, and the texts of those that could not be read. */
const sampledRow = z.object({
  /** In its file, from 1; null or omitted where the file has no lines of rows. */
  line: z.int().nullable().optional(),
  values: recordOf(z.string(), cellValue),
  unreadable: recordOf(z.string(), z.string()).optional(),
});
export type SampledRow = z.infer<typeof sampledRow>;

/** How a column's values are spread, for a small picture: of numbers and times in equal steps from the least to the greatest value. */
const spread = z.object({ column: z.string(), counts: z.array(z.int()), least: z.string().nullable(), greatest: z.string().nullable() });
export type ColumnSpread = z.infer<typeof spread>;

const failure = z.object({ kind: z.string(), message: z.string(), path: z.string().optional(), line: z.int().optional() });
export type ImportFailure = z.infer<typeof failure>;

/** A set of files that becomes a dataset, or is added to one. Lives for 24 hours after its last call. */
export const dataImport = z
  .object({
    id: z.string(),
    status: importStatus,
    createdMs: z.int(),
    /** When it is discarded unless a call prolongs it. */
    expiresMs: z.int(),
    /** The fileset that its files were taken from; null if they were uploaded. */
    from: z.object({ filesetId: z.string() }).nullable(),
    /** The dataset that is appended to or replaced; null for a new one. */
    into: importInto.nullable(),
    /** A name for the dataset, made from the files' names. */
    suggestedName: z.string(),
    files: z.array(importFile),
    /** The step under way: `done` of `total` bytes or rows, 0 of 0 if that is not known. Null while nothing is. */
    progress: z.object({ step: z.string(), done: z.number(), total: z.number() }).nullable(),
    /** How the files are read. While bytes still arrive, of the beginning of the first file. Null until something was read. */
    reading: reading.nullable(),
    /** Whether `reading` is of the beginning only, because bytes still arrive. */
    isPartial: z.boolean(),
    /** The columns of the dataset to be, and its first rows. Null until something was read. */
    sample: z.object({ columns: z.array(column), rows: z.array(sampledRow), spreads: z.array(spread) }).nullable(),
    /** Questions of `reading` that wait for an answer. */
    openQuestions: z.array(z.string()),
    drift: z.array(drift),
    /** Of an import with the mode `read-again`: nothing is chosen and nothing differs, so that there is nothing to save. */
    isUnchanged: z.boolean().optional(),
    /** The columns of the map's position, the time and the item, by name; null without. */
    fields: z
      .object({
        temporalField: z.string().nullable(),
        latitude: z.string().nullable(),
        longitude: z.string().nullable(),
        itemField: z.string().nullable(),
      })
      .nullable(),
    /** Set when it is done; `id` is that of an own dataset, null for one of administrators. */
    dataset: datasetRef.extend({ id: z.string().nullable(), supportsMapResults: z.boolean() }).nullable(),
    failure: failure.nullable(),
  })
  .meta({ id: "Import" });
export type DataImport = z.infer<typeof dataImport>;

/** A row that the list of imports shows. */
const listedImport = dataImport.pick({ id: true, status: true, createdMs: true, expiresMs: true, into: true, suggestedName: true }).meta({
  id: "ListedImport",
});

const startDraft = z
  .object({
    files: z
      .array(
        z.object({
          file: z.string().min(1).max(255),
          /** Bytes. */
          size: z.int().min(0),
          /** Tells versions of the file apart: an upload continues only with the same text. */
          version: z.string().max(200).optional(),
        }),
      )
      .min(1)
      .max(maxImportFiles)
      .optional(),
    from: z.object({ filesetId: z.string().max(1_000), files: z.array(z.string().max(1_000)).min(1).max(maxImportFiles) }).optional(),
    hints: readingHints.optional(),
    into: importInto.optional(),
  })
  .refine(
    ({ files, from, into }) => [files, from].filter((one) => one !== undefined).length === (into?.mode === "read-again" ? 0 : 1),
    "needs either 'files' or 'from', and neither to read a dataset again",
  );
export type ImportDraft = z.input<typeof startDraft>;

const missingWords = z.array(z.string().max(100)).max(100);

/** How one file is read. Null or omitted: the rules decide. */
const fileChoices = z.object({
  encoding: textEncoding.nullish(),
  delimiter: z.string().min(1).max(1).nullish(),
  quote: z.enum(['"', "'"]).nullish(),
  /** 0 = there is no header. */
  headerLine: z.int().min(0).max(1_000).nullish(),
  skipLines: z.int().min(0).max(1_000).nullish(),
  /** Of a workbook. */
  sheet: z.string().max(200).nullish(),
  /** Likewise: sheets with the same column names, which are read as one. */
  sheets: z.array(z.string().max(200)).min(1).max(200).nullish(),
  /** Of a JSON file. */
  path: z.string().max(1_000).nullish(),
  /** Of a ZIP file: the name of a file in it, which is taken with those of the same header. Default: the files with the most bytes. */
  entry: z.string().max(1_000).nullish(),
});

const columnChoice = z.object({
  type: columnType.nullish(),
  /** One of the column's `also`. */
  format: z.string().max(100).nullish(),
  zone: zoneName.nullish(),
  missingWords: missingWords.nullish(),
  /** The column of the dataset that these values go to, for appending. */
  as: z.string().max(1_000).nullish(),
  leaveOut: z.boolean().nullish(),
});

/** Choices that override the rules; they are kept until they are replaced. Null: the rules decide again. */
export const importChoices = z
  .object({
    /** By the file's number; applies to all files that are read alike. */
    files: recordOf(z.string().max(10), fileChoices.nullable()).nullish(),
    dateOrder: dateOrder.nullish(),
    decimalMark: decimalMark.nullish(),
    zone: zoneName.nullish(),
    missingWords: missingWords.nullish(),
    columns: recordOf(z.string().max(1_000), columnChoice.nullable()).nullish(),
    /** Options by question. */
    answers: recordOf(z.string().max(1_100), z.string().max(100).nullable()).nullish(),
  })
  .meta({ id: "ImportChoices" });
export type ImportChoices = z.infer<typeof importChoices>;

const importedRow = z.object({
  file: z.string(),
  /** Null where the file has no lines of rows. */
  line: z.int().nullable(),
  /** The value or line as it is in the file. */
  text: z.string(),
  /** Null if the whole line could not be read. */
  column: z.string().nullable(),
  reason: z.string().optional(),
  values: recordOf(z.string(), cellValue).optional(),
});
export type ImportedRow = z.infer<typeof importedRow>;

/** Calls that bring data: files are uploaded in parts, examined, and become a dataset. */
export const imports = {
  start: route({
    method: "POST",
    path: "/imports",
    access: "signed-in",
    summary: "Starts an import of files that are to be uploaded, of files of a fileset, or of those that a dataset was made of.",
    body: startDraft,
    response: dataImport,
    status: 201,
    apiKey: true,
    audit: "security",
  }),
  list: route({
    method: "GET",
    path: "/imports",
    access: "signed-in",
    summary: "The caller's unfinished imports, newest first.",
    response: z.array(listedImport),
  }),
  one: route({
    method: "GET",
    path: "/imports/:id",
    access: "signed-in",
    summary: "One import with its reading. What went wrong while reading is its `failure`, not a status of this call.",
    params: importParams,
    response: dataImport,
    apiKey: true,
  }),
  partUrl: route({
    method: "GET",
    path: "/imports/:id/files/:n/parts/:part",
    access: "signed-in",
    summary: "An address for one part, as for files of filesets.",
    params: partParams,
    query: partUrlQuery,
    response: partUrl,
    apiKey: true,
  }),
  part: route({
    method: "PUT",
    path: "/imports/:id/files/:n/parts/:part",
    access: "public",
    summary: "Stores one part, whole or not at all. Its address comes from the call with GET.",
    params: partParams,
    query: partSignature,
    rawBody: true,
    response: z.undefined(),
  }),
  confirmPart: route({
    method: "POST",
    path: "/imports/:id/files/:n/parts/:part",
    access: "signed-in",
    summary: "Confirms that the PUT of a part to an absolute address succeeded.",
    params: partParams,
    body: partConfirmation,
    response: z.undefined(),
    apiKey: true,
  }),
  complete: route({
    method: "POST",
    path: "/imports/:id/complete",
    access: "signed-in",
    summary: "All parts have been sent: the files are examined. May be repeated.",
    params: importParams,
    response: dataImport,
    status: 202,
    apiKey: true,
  }),
  choose: route({
    method: "PUT",
    path: "/imports/:id/choices",
    access: "signed-in",
    summary: "Changes how the files are read, which reads again what is concerned.",
    params: importParams,
    body: importChoices,
    response: dataImport,
    status: 202,
    apiKey: true,
  }),
  rows: route({
    method: "GET",
    path: "/imports/:id/rows",
    access: "signed-in",
    summary: "Values and lines that could not be read, at most 200 from an offset, with their lines and texts.",
    params: importParams,
    query: z.object({
      only: z.enum(["unreadable"]).optional(),
      column: z.string().max(1_000).optional(),
      /** Offset from 0. */
      from: z.coerce.number().int().min(0).optional(),
    }),
    response: z.object({ rows: z.array(importedRow), total: z.int() }),
    apiKey: true,
  }),
  /** With `into`, the rows are added to or replace those of the dataset, and `name` is not needed. */
  create: route({
    method: "POST",
    path: "/imports/:id/dataset",
    access: "signed-in",
    summary: "Makes the dataset, or adds to the one that the import names. Refused while a question is open.",
    params: importParams,
    body: z.object({
      name: z.string().trim().min(1).max(200).optional(),
      /** For administrators: an ordinary internal dataset of this category. */
      category: z.string().max(200).optional(),
      description: prose(20_000).optional(),
      fields: z
        .object({
          temporalField: z.string().nullish(),
          latitude: z.string().nullish(),
          longitude: z.string().nullish(),
          itemField: z.string().nullish(),
        })
        .optional(),
      acceptDrift: z.array(driftKind).max(driftKind.options.length).optional(),
      /** Takes the options that the rules chose for open questions. */
      acceptAssumed: z.boolean().optional(),
    }),
    response: dataImport,
    status: 202,
    apiKey: true,
    audit: "security",
  }),
  discard: route({
    method: "DELETE",
    path: "/imports/:id",
    access: "signed-in",
    summary: "Discards an import with what was uploaded, at any time.",
    params: importParams,
    response: z.undefined(),
    apiKey: true,
  }),
};
