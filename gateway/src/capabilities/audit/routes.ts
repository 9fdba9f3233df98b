import type { auditing } from "@fairway/contract/audit";
import { attachment } from "#http/attachment.ts";
import type { Handlers } from "#http/handlers.ts";
import { csvOf, jsonOf } from "./export.ts";
import type { AuditLog } from "./service.ts";

type Reader = Pick<AuditLog, "page" | "event" | "usernames" | "responseCodes" | "export">;

export const auditRoutes = (audit: Reader): Handlers<typeof auditing> => ({
  events: ({ query: { pageNumber, ...filters } }) => audit.page(filters, pageNumber),
  event: ({ params }) => audit.event(params.id),
  usernames: () => audit.usernames(),
  responseCodes: () => audit.responseCodes(),
  export: async ({ query: { format, ...filters } }) => {
    const { cut, chunks } = await audit.export(filters);
    const name = `audit-events-${new Date().toISOString().slice(0, 10)}${cut ? "-cut" : ""}.${format}`;
    return {
      contentType: format === "csv" ? "text/csv; charset=utf-8; header=present" : "application/json; charset=utf-8",
      headers: { "content-disposition": attachment(name) },
      chunks: format === "csv" ? csvOf(chunks) : jsonOf(chunks),
    };
  },
});
