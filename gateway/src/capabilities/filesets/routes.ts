import type { filesets } from "@fairway/contract/filesets";
import type { filesetUploads } from "@fairway/contract/fileset-uploads";
import { safeFileName } from "@fairway/contract/file-names";
import { attachment } from "#http/attachment.ts";
import { answerFile, filePolicy } from "#http/file-answer.ts";
import type { Handlers } from "#http/handlers.ts";
import type { DownloadTurns } from "./download-turns.ts";
import type { PartUploads } from "./part-uploads.ts";
import { previewReading } from "./preview-reading.ts";
import { type FilesetService, noSuchFile, refuseMissing } from "./service.ts";
import type { Uploads } from "./uploads.ts";
import { zipStream } from "./zip-stream.ts";
import type { Zips } from "./zips.ts";

export const filesetRoutes = (
  service: FilesetService,
  uploads: Uploads,
  zips: Zips,
  downloads: DownloadTurns,
): Handlers<typeof filesets> => ({
  list: ({ user }) => service.accessible(user),
  listing: ({ user, params, query }) => service.list(user, params.id, query.listPrefix, query.continuationToken),
  tags: async ({ user, params, query: { file } }) => {
    const fileset = await service.find(user, params.id);
    const key = fileset.keyOf(file);
    return { tags: await (await fileset.store()).tags(key).catch(refuseMissing(file)) };
  },
  file: async ({ user, params, query: { file } }) => service.head(await service.find(user, params.id), file),
  reading: async ({ user, params, query: { file } }) => {
    const fileset = await service.find(user, params.id);
    await service.head(fileset, file);
    const store = await fileset.store();
    return downloads.run(user.id, () => previewReading(file, () => bytesOf(store.read(fileset.keyOf(file)).catch(refuseMissing(file)))));
  },
  download: async ({ user, params, query: { file }, fileHeaders }) => {
    const fileset = await service.find(user, params.id);
    const key = fileset.keyOf(file);
    const store = await fileset.store();
    const info = await store.head(key);
    if (info === undefined) throw noSuchFile(file);
    const name = file.slice(file.lastIndexOf("/") + 1);
    return downloads.run(user.id, () =>
      answerFile({ ...info, name }, fileHeaders, (range) => store.read(key, range).catch(refuseMissing(file))),
    );
  },
  requestZip: async ({ user, params, body }) => {
    const zipId = await zips.request(user, params.id, body.paths);
    return { zipUrl: `/filesets/${encodeURIComponent(params.id)}/zip/${zipId}` };
  },
  zip: async ({ user, params, fileHeaders }) => {
    const parts = await zips.read(user, params.id, params.zipId);
    return downloads.run(user.id, async () => ({
      contentType: "application/zip",
      headers: { "content-disposition": attachment(`${safeFileName(params.id)}.zip`), "content-security-policy": filePolicy },
      chunks: fileHeaders.isHead ? [] : zipStream(parts),
    }));
  },
  uploadUrl: async ({ user, params, query: { file } }) => ({ uploadUrl: await uploads.addressOf(user, params.id, file) }),
  upload: (call) => {
    const { file, signature } = call.query;
    const sent = { filesetId: call.params.id, path: file, signature, content: call.content };
    return uploads.receive(sent, (user) => call.callerIs(user));
  },
  remove: async ({ user, params, query: { file } }) => {
    const fileset = await service.find(user, params.id);
    await service.head(fileset, file);
    await (await fileset.store()).remove(fileset.keyOf(file));
  },
});

async function* bytesOf(file: Promise<{ readonly content: AsyncIterable<unknown> }>): AsyncGenerator<Buffer> {
  for await (const part of (await file).content) yield part as Buffer;
}

export const partUploadRoutes = (uploads: PartUploads): Handlers<typeof filesetUploads> => ({
  start: ({ user, params, body }) => uploads.start(user, params.id, body),
  partUrl: ({ user, params, query }) => uploads.partUrl(user, params.id, params.uploadId, params.part, query.crc32c),
  part: async (call) => {
    const { id, uploadId, part } = call.params;
    const sent = { filesetId: id, uploadId, part, signature: call.query.signature, content: call.content };
    await uploads.receive(sent, (user) => call.callerIs(user));
    return undefined;
  },
  confirmPart: async ({ user, params, body }) => {
    await uploads.confirmPart(user, params.id, params.uploadId, params.part, body?.etag?.replaceAll('"', ""));
    return undefined;
  },
  complete: ({ user, params }) => uploads.complete(user, params.id, params.uploadId),
  abort: async ({ user, params }) => {
    await uploads.abort(user, params.id, params.uploadId);
    return undefined;
  },
});
