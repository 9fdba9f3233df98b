import { exports } from "@fairway/contract/exports";
import { type Capability, implement } from "#capability.ts";
import type { Metrics } from "#http/metrics.ts";
import { exportRoutes } from "./routes.ts";
import { type ExportParts, openExports } from "./service.ts";

interface Parts extends Omit<ExportParts, "counts"> {
  readonly metrics: Pick<Metrics, "counter">;
}

/** Whole results as files. */
export async function openExporting({ metrics, ...parts }: Parts): Promise<Capability> {
  const service = await openExports({
    ...parts,
    counts: {
      rows: metrics.counter("fairway_export_rows_total", "Rows of finished exports."),
      bytes: metrics.counter("fairway_export_bytes_total", "Bytes of finished exports."),
      failures: metrics.counter("fairway_export_failures_total", "Exports that failed."),
    },
  });
  return {
    routes: { exports: implement(exports, exportRoutes(service)) },
    gauges: [{ name: "fairway_exports_running", help: "Exports that are being written.", read: () => service.running }],
    close: () => service.close(),
  };
}
