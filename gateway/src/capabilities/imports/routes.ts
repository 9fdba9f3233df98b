import { pluralize } from "@fairway/contract/counts";
import type { DataImport, imports } from "@fairway/contract/imports";
import type { Handlers } from "#http/handlers.ts";
import type { PartUploads } from "#uploads/part-uploads.ts";
import { addressNotValid } from "#uploads/upload-refusals.ts";
import type { ImportDestination } from "./destination.ts";
import type { Imports } from "./service.ts";

/** The note of an import in the audit log: the dataset and how many files, never their content. */
function noteOf({ into, files, suggestedName }: DataImport, name?: string): string {
  const dataset = into === null ? (name ?? suggestedName) : `${into.mode} to ${into.datasetCategory}/${into.datasetId}`;
  return `${dataset}, ${pluralize(files.length, "file")}`;
}

export const importRoutes = (service: Imports, uploads: PartUploads<ImportDestination>): Handlers<typeof imports> => ({
  start: async (call) => {
    const started = await service.start(call.user, call.body);
    call.noteForAudit(noteOf(started));
    return started;
  },
  list: ({ user }) => service.list(user),
  one: ({ user, params }) => service.one(user, params.id),
  partUrl: async ({ user, params, query }) => {
    const uploadId = await service.uploadOf(user, params.id, params.n);
    return uploads.partUrl(user, params.id, uploadId, params.part, query.crc32c);
  },
  part: async (call) => {
    const { id, n, part } = call.params;
    const uploadId = await service.uploadIdOf(id, n);
    if (uploadId === undefined) throw addressNotValid();
    const sent = { holder: id, uploadId, part, signature: call.query.signature, content: call.content };
    await uploads.receive(sent, (user) => call.callerIs(user));
    return undefined;
  },
  confirmPart: async ({ user, params, body }) => {
    const uploadId = await service.uploadOf(user, params.id, params.n);
    await uploads.confirmPart(user, params.id, uploadId, params.part, body?.etag?.replaceAll('"', ""));
    return undefined;
  },
  complete: ({ user, params }) => service.complete(user, params.id),
  choose: ({ user, params, body }) => service.choose(user, params.id, body),
  rows: ({ user, params, query, signal }) => service.rows(user, params.id, query, signal),
  create: async (call) => {
    const created = await service.create(call.user, call.params.id, call.body);
    call.noteForAudit(noteOf(created, call.body.name));
    return created;
  },
  discard: async ({ user, params }) => {
    await service.discard(user, params.id);
    return undefined;
  },
});
