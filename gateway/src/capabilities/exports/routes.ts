import { createReadStream } from "node:fs";
import type { ExportFormat, exports } from "@fairway/contract/exports";
import { attachment } from "#http/attachment.ts";
import type { Handlers } from "#http/handlers.ts";
import type { ExportService } from "./service.ts";

const contentTypes: Readonly<Record<ExportFormat, string>> = {
  csv: "text/csv; charset=utf-8; header=present",
  json: "application/json; charset=utf-8",
  parquet: "application/vnd.apache.parquet",
};

export const exportRoutes = (service: ExportService): Handlers<typeof exports> => ({
  start: async ({ user, params, body }) => ({ exportId: await service.start(user, params, body) }),
  state: ({ user, params }) => service.state(user, params.exportId),
  file: async ({ user, params }) => {
    const job = await service.download(user, params.exportId);
    const { name, bytes } = job.manifest.file;
    return {
      contentType: contentTypes[job.order.format],
      headers: { "content-disposition": attachment(name), "content-length": String(bytes) },
      chunks: contentOf(job.path),
    };
  },
  manifest: async ({ user, params }) => {
    const { manifest, manifestName } = await service.download(user, params.exportId);
    return {
      contentType: "application/json; charset=utf-8",
      headers: { "content-disposition": attachment(manifestName) },
      chunks: [`${JSON.stringify(manifest, null, 2)}\n`],
    };
  },
  remove: async ({ user, params }) => {
    await service.remove(user, params.exportId);
  },
});

/** Opened with the first read: an answer that nobody takes opens nothing. */
async function* contentOf(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path, { highWaterMark: 262_144 }) as AsyncIterable<Uint8Array>;
}
