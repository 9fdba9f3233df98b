import { exports } from "@fairway/contract/exports";
import type { Kysely } from "kysely";
import { type Capability, implement } from "#http/capability.ts";
import type { Database } from "#database/schema.ts";
import type { Metrics } from "#http/metrics.ts";
import { userWithoutSession } from "#identity/user-without-session.ts";
import type { FileStores } from "#storage/storage.ts";
import { ExportRepository } from "./repository.ts";
import { exportRoutes } from "./routes.ts";
import { type ExportParts, type ExportService, exportService } from "./service.ts";

interface Parts extends Pick<
  ExportParts,
  "searches" | "canRead" | "findKeyUser" | "scopeKeysOf" | "scratchFolder" | "alone" | "limits" | "publicUrl" | "live" | "log"
> {
  readonly db: Kysely<Database>;
  readonly stores: FileStores;
  readonly metrics: Pick<Metrics, "counter">;
}

/** Exports of whole results as files. Resumes unfinished exports. */
export async function openExporting({ db, stores, metrics, ...parts }: Parts): Promise<Capability & { readonly service: ExportService }> {
  const repository = new ExportRepository(db, parts.limits);
  if (parts.alone) await repository.releaseAll();
  const service = exportService({
    ...parts,
    repository,
    store: await stores.of("exported"),
    findOwner: (userId) => userWithoutSession(db, userId),
    counts: {
      rows: metrics.counter("fairway_export_rows_total", "Rows of finished exports."),
      bytes: metrics.counter("fairway_export_bytes_total", "Bytes of finished exports."),
      failures: metrics.counter("fairway_export_failures_total", "Exports that failed."),
    },
  });
  return {
    service,
    routes: { exports: implement(exports, exportRoutes(service)) },
    gauges: [{ name: "fairway_exports_running", help: "Exports that are being written.", read: () => service.running }],
    close: () => service.close(),
  };
}
