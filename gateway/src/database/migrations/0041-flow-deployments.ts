import { type Migration, sql } from "kysely";

export const flowDeploymentsMigration: Migration = {
  async up(db) {
    await sql`
      create table flow_deployments (
        id integer generated always as identity primary key,
        flow_id integer not null,
        request_id integer not null,
        request_name text not null,
        iteration_id integer not null,
        iteration_number integer not null,
        environment_id text not null,
        environment_name text not null,
        base_url text not null,
        deployed_at timestamptz not null default clock_timestamp(),
        deployed_by text not null,
        kind text not null,
        process_group_id text not null,
        warnings json not null default '[]',
        drift_checked_at timestamptz,
        drift_changes integer
      )`.execute(db);
    await sql`create index flow_deployments_flow on flow_deployments (flow_id, environment_id, id)`.execute(db);
    await sql`create index flow_deployments_iteration on flow_deployments (iteration_id, id)`.execute(db);
    await sql`
      create table flow_deployment_targets (
        flow_id integer not null,
        environment_id text not null,
        process_group_id text,
        failed_at timestamptz,
        failure text,
        definition_of integer,
        definition bytea,
        primary key (flow_id, environment_id)
      )`.execute(db);
    await sql`
      create table flow_deployment_runs (
        id integer generated always as identity primary key,
        flow_id integer not null,
        environment_id text not null,
        iteration_id integer not null,
        iteration_number integer not null,
        username text not null,
        started_at timestamptz not null default clock_timestamp(),
        alive_at timestamptz not null default clock_timestamp(),
        ended_at timestamptz,
        succeeded boolean not null default false,
        steps json not null default '[]'
      )`.execute(db);
    await sql`
      create unique index flow_deployment_runs_active on flow_deployment_runs (flow_id, environment_id) where ended_at is null`.execute(db);
    await sql`create index flow_deployment_runs_iteration on flow_deployment_runs (iteration_id, id)`.execute(db);
    await sql`
      create table flow_environment_facts (
        environment_id text primary key,
        base_url text not null,
        seen_at timestamptz not null,
        facts json not null
      )`.execute(db);
  },
};
