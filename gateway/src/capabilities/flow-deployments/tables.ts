import type { DeploymentStep, FlowDeployment } from "@fairway/contract/flow-deployments";
import type { ColumnType, GeneratedAlways, JSONColumnType } from "kysely";

declare module "#database/schema.ts" {
  interface Database {
    /** Successful deployments only. */
    flow_deployments: {
      id: GeneratedAlways<number>;
      flow_id: number;
      request_id: number;
      request_name: string;
      iteration_id: number;
      iteration_number: number;
      environment_id: string;
      /** As it was called and where it was then. */
      environment_name: string;
      base_url: string;
      deployed_at: ColumnType<Date, never, never>;
      deployed_by: string;
      kind: FlowDeployment["kind"];
      process_group_id: string;
      warnings: JSONColumnType<string[]>;
      drift_checked_at: ColumnType<Date | null, never, Date>;
      drift_changes: ColumnType<number | null, never, number>;
    };
    /** Objects that a flow has left in the NiFi of an environment. */
    flow_deployment_targets: {
      flow_id: number;
      environment_id: string;
      process_group_id: string | null;
      /** Since the last deployment: one failed and could not be put back. */
      failed_at: Date | null;
      failure: string | null;
      /** The deployment whose definition, as the NiFi showed it right afterwards, is in `definition`, compressed with gzip. */
      definition_of: number | null;
      definition: Buffer | null;
    };
    /** Attempts. One at a time per flow and environment. */
    flow_deployment_runs: {
      id: GeneratedAlways<number>;
      flow_id: number;
      environment_id: string;
      iteration_id: number;
      iteration_number: number;
      username: string;
      started_at: ColumnType<Date, never, never>;
      alive_at: ColumnType<Date, never, Date>;
      /** Null while it runs. */
      ended_at: ColumnType<Date | null, never, Date>;
      succeeded: ColumnType<boolean, never, boolean>;
      steps: ColumnType<DeploymentStep[], never, string>;
    };
    /** Facts about the NiFi of an environment when it was last seen. */
    flow_environment_facts: {
      environment_id: string;
      base_url: string;
      seen_at: Date;
      facts: ColumnType<unknown, string, string>;
    };
  }
}

/** A flow and the environment that it is deployed to. */
export interface Target {
  readonly flowId: number;
  readonly environmentId: string;
}
