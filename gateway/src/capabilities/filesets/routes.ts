import type { filesets } from "@fairway/contract/filesets";
import type { filesetUploads } from "@fairway/contract/fileset-uploads";
import { safeFileName } from "@fairway/contract/file-names";
import { attachment } from "#http/attachment.ts";
import { answerFile, filePolicy } from "#http/file-answer.ts";
import type { Handlers } from "#http/handlers.ts";
import type { DownloadTurns } from "./download-turns.ts";
import type { Limits } from "@fairway/contract/limits";
import type { PartUploads } from "#uploads/part-uploads.ts";
import type { UploadTurns } from "#uploads/upload-turns.ts";
import { Refusal } from "#http/refusal.ts";
import { previewReading } from "./preview-reading.ts";
import { type FilesetService, type OpenFileset, noSuchFile, refuseMissing } from "./service.ts";
import { type Uploads, requireUploads } from "./uploads.ts";
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

interface PartRouteParts {
  readonly service: FilesetService;
  readonly uploads: PartUploads<OpenFileset>;
  readonly turns: UploadTurns;
  readonly limits: Pick<Limits, "uploadMaxBytes" | "unfinishedUploadsPerUser">;
}

export const partUploadRoutes = ({ service, uploads, turns, limits }: PartRouteParts): Handlers<typeof filesetUploads> => ({
  start: async ({ user, params, body }) => {
    const fileset = await service.find(user, params.id);
    requireUploads(fileset);
    const file = fileset.newPath(body.file);
    fileset.keyOf(file);
    if (body.size > limits.uploadMaxBytes) throw Refusal.fileTooLarge(limits.uploadMaxBytes, "file");
    turns.count(user.id);
    return uploads.start(user, params.id, fileset, { ...body, file }, { maxUnfinished: limits.unfinishedUploadsPerUser });
  },
  partUrl: ({ user, params, query }) => uploads.partUrl(user, params.id, params.uploadId, params.part, query.crc32c),
  part: async (call) => {
    const { id, uploadId, part } = call.params;
    const sent = { holder: id, uploadId, part, signature: call.query.signature, content: call.content };
    await uploads.receive(sent, (user) => call.callerIs(user));
    return undefined;
  },
  confirmPart: async ({ user, params, body }) => {
    await uploads.confirmPart(user, params.id, params.uploadId, params.part, body?.etag?.replaceAll('"', ""));
    return undefined;
  },
  complete: async ({ user, params }) => {
    const { path, destination: fileset, file } = await uploads.complete(user, params.id, params.uploadId);
    return file === undefined ? service.head(fileset, path) : fileset.toFile(file);
  },
  abort: async ({ user, params }) => {
    await uploads.abort(user, params.id, params.uploadId);
    return undefined;
  },
});
