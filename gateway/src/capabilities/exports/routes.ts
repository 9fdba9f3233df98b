import { type ExportFormat, type exports, workbookType } from "@fairway/contract/exports";
import { arrowStream } from "@fairway/contract/search";
import { attachment } from "#http/attachment.ts";
import type { Handlers } from "#http/handlers.ts";
import { manifestNameOf, manifestOf } from "./export-record.ts";
import type { ExportService } from "./service.ts";

const contentTypes: Readonly<Record<ExportFormat, string>> = {
  csv: "text/csv; charset=utf-8; header=present",
  json: "application/json; charset=utf-8",
  parquet: "application/vnd.apache.parquet",
  arrow: arrowStream,
  xlsx: workbookType,
};

export const exportRoutes = (service: ExportService): Handlers<typeof exports> => ({
  start: async ({ user, params, body }) => ({ exportId: await service.start(user, params, body) }),
  startBreakdown: async ({ user, params, body: { format, breakdown } }) => ({
    exportId: await service.start(user, params, { format, search: breakdown.search, breakdown }),
  }),
  state: ({ user, params }) => service.state(user, params.exportId),
  file: async ({ user, params }) => {
    const { record, chunks } = await service.download(user, params.exportId);
    const { format, file } = manifestOf(record);
    return {
      contentType: contentTypes[format],
      headers: { "content-disposition": attachment(file.name), "content-length": String(file.bytes) },
      chunks,
    };
  },
  manifest: async ({ user, params }) => {
    const { record } = await service.download(user, params.exportId);
    return {
      contentType: "application/json; charset=utf-8",
      headers: { "content-disposition": attachment(manifestNameOf(record)) },
      chunks: [`${JSON.stringify(manifestOf(record), null, 2)}\n`],
    };
  },
  remove: async ({ user, params }) => {
    await service.remove(user, params.exportId);
  },
});
