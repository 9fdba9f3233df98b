import { auditing } from "@fairway/contract/audit";
import { type Capability, implement } from "#http/capability.ts";
import type { Metrics } from "#http/metrics.ts";
import { type ObserverParts, observeCalls } from "./observe.ts";
import { auditRoutes } from "./routes.ts";
import { type AuditLog, type AuditOptions, openAudit } from "./service.ts";

interface Parts extends Omit<AuditOptions, "dropped"> {
  readonly findUser: ObserverParts["findUser"];
  readonly metrics: Pick<Metrics, "counter">;
}

export interface Auditing extends Capability {
  readonly audit: AuditLog;
}

/** Records API calls and shows them to administrators. */
export async function openAuditing({ findUser, metrics, ...options }: Parts): Promise<Auditing> {
  const dropped = metrics.counter("fairway_audit_dropped_total", "Calls that are missing in the audit log.");
  const audit = await openAudit({ ...options, dropped });
  const { recorder } = audit;
  return {
    audit,
    install: (app) => observeCalls(app, { recorder, findUser }),
    routes: { auditing: implement(auditing, auditRoutes(audit)) },
    gauges: [{ name: "fairway_audit_waiting", help: "Calls that wait to be written into the audit log.", read: () => recorder.waiting }],
    close: () => audit.close(),
  };
}
