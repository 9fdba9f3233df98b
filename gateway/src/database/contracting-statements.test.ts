import { expect, it } from "vitest";
import { contractingStatements } from "./contracting-statements.ts";

it.each([
  "drop table exports",
  "drop index audit_shapes_sign_ins",
  "alter table exports drop column rows",
  "alter table exports drop constraint exports_pkey",
  "alter table exports rename column rows to row_count",
  "alter table exports rename to export_runs",
  "alter table exports alter column rows set not null",
  "alter table exports alter rows type integer",
  "alter table exports add constraint one check (rows > 0)",
  "alter table exports add column title text not null",
  "alter table exports add column kind text default 'a', add column title text not null, add column note text default ''",
  "create unique index on exports (owner_id)",
  "create trigger check_rows before insert on exports for each row execute function check_rows()",
  "DELETE from exports",
])("reports %s", (statement) => {
  expect(contractingStatements([statement])).toEqual([statement]);
});

it.each([
  "create table exports (id text primary key, title text not null)",
  "alter table exports add column title text",
  "alter table exports add column title text not null default ''",
  "alter table exports alter column title set default ''",
  "alter table exports alter column content set storage external",
  "create index on exports (owner_id)",
  "update exports set rows = 0 where rows is null",
])("allows %s", (statement) => {
  expect(contractingStatements([statement])).toEqual([]);
});

it("allows everything on a table that the migration creates", () => {
  const statements = [
    "create table exports (id text, rows bigint)",
    "create unique index exports_id on exports (id)",
    "create unique index on exports (rows)",
    "create trigger check_rows before insert on exports for each row execute function check_rows()",
    "alter table exports add primary key (id)",
  ];
  expect(contractingStatements(statements)).toEqual([]);
});
