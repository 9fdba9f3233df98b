import type { AccessGrant, DatasetAccess } from "@fairway/contract/dataset-access";
import type { Entity } from "@fairway/contract/entities";
import { expect, it } from "vitest";
import { administrationApp } from "#testing/administration-app.ts";
import { buildColumn, buildDataset } from "#testing/dataset-app.ts";
import { sharedApp } from "#testing/shared-app.ts";

const openApp = sharedApp((onClose) => administrationApp(undefined, {}, { onClose }), ["entities", "entity_revisions"]);

const path = "datasets/internal";
const grant = (rows: AccessGrant["rows"] = "all", roles = ["reader"]): AccessGrant => ({ roles, rows });
const rules = (...grants: AccessGrant[]): DatasetAccess => ({ rules: [{ name: "Rule", grants }] });
const ofReader = (valueFrom: "username" | "groups"): AccessGrant["rows"] => ({ filters: [{ name: "team", operator: "=", valueFrom }] });
const dataset = (access: DatasetAccess | null, fields: Partial<ReturnType<typeof buildDataset>> = {}) => ({
  ...buildDataset({
    schema: { columns: [buildColumn("team", "STRING"), buildColumn("file", "STRING")] },
    source: { kind: "files", glob: "2024/staff.parquet", format: "parquet" },
    access,
    ...fields,
  }),
});

const warningsOf = async (access: DatasetAccess | null, fields: Parameters<typeof dataset>[1] = {}) => {
  const { admin } = openApp();
  await admin("DELETE", `${path}/rows`);
  const { body } = await admin<Entity>("POST", path, dataset(access, fields));
  return body.warnings ?? [];
};
const found = async (...sent: Parameters<typeof warningsOf>) => (await warningsOf(...sent)).map(({ code, path: at }) => [code, at]);

it("warns of roles in rules that do not exist", async () => {
  const access: DatasetAccess = {
    ...rules(grant("all", ["reader", "ghost", "*"])),
    columns: [{ names: ["team"], roles: ["phantom"], others: "withheld" }],
  };
  expect(await warningsOf(access)).toEqual([
    { code: "unknown-role", message: "There is no role 'ghost': it shows nobody these rows.", path: "access.rules.0.grants.0.roles.1" },
    { code: "unknown-role", message: "There is no role 'phantom': it shows nobody these columns.", path: "access.columns.0.roles.0" },
  ]);
});

it("warns of '<>', which also shows rows without a value, and of usernames, which new accounts can take", async () => {
  const other = (value: string | null): AccessGrant["rows"] => ({ filters: [{ name: "team", operator: "<>", value }] });
  expect(await found(rules(grant(other("red")), grant(other(null))))).toEqual([
    ["shows-empty", "access.rules.0.grants.0.rows.filters.0.operator"],
  ]);
  expect(await found(rules(grant(ofReader("username"))))).toEqual([["username-reuse", "access.rules.0.grants.0.rows.filters.0.valueFrom"]]);
});

it("warns of groups that got another name, until one has the former name again", async () => {
  const { admin } = openApp();
  expect(await found(rules(grant(ofReader("groups"))))).toEqual([]);
  const { body: group } = await admin<Entity>("POST", "groups", { name: "red", realmRoles: [] });
  await admin("PUT", "groups", { ...group, name: "crimson" });
  expect(await warningsOf(rules(grant(ofReader("groups"))))).toEqual([
    {
      code: "renamed-group",
      message: "The group 'red' is 'crimson' now: its members see the rows that name it as soon as these have the new name.",
      path: "access.rules.0.grants.0.rows.filters.0.valueFrom",
    },
  ]);
  const { body: again } = await admin<Entity>("POST", "groups", { name: "red", realmRoles: [] });
  expect(await found(rules(grant(ofReader("groups"))))).toEqual([]);
  for (const { id } of [group, again] as { id?: unknown }[]) await admin("DELETE", `groups/${String(id)}`);
});

it.each([
  ["2024/staff.parquet", true],
  ["./2024/staff.parquet", true],
  ["2024/*.parquet", true],
  ["**/*.parquet", true],
  ["2024/staf[ef].parquet", true],
  ["*.parquet", false],
  ["2024/*.csv", false],
  ["2023/*.parquet", false],
  ["2024/staff.parquet.parquet", false],
])("warns of another dataset of the files %s: %s", async (glob, isSame) => {
  const { admin } = openApp();
  await admin("POST", path, { ...dataset(null, { id: "other", source: { kind: "files", glob, format: "parquet" } }) });
  expect(await found(rules(grant()))).toEqual(isSame ? [["other-access", "access"]] : []);
});

it("names other datasets and filesets with the same rows, but neither disabled ones nor those with the same rules", async () => {
  const { admin } = openApp();
  const bucket = { kind: "files" as const, glob: "s3://lake/staff/*.parquet", format: "parquet" as const };
  const access = rules(grant());
  await admin("POST", path, { ...dataset(access, { id: "twin", source: bucket }) });
  await admin("POST", path, { ...dataset(null, { id: "off", source: bucket }), enabled: false });
  expect(await found(access, { source: bucket })).toEqual([]);
  await admin("POST", path, { ...dataset(rules(grant("all", ["*"])), { id: "wide", source: bucket }) });
  for (const [id, s3Bucket, s3Prefix] of [
    ["all", "lake", ""],
    ["below", "lake", "staff/2024"],
    ["elsewhere", "lake", "other/"],
    ["pond", "pond", ""],
  ]) {
    await admin("POST", "filesets", { id, description: "", s3Bucket, s3Prefix, allowedRoles: [], allowsUploads: false });
  }
  expect(await warningsOf(access, { source: bucket })).toEqual([
    {
      code: "other-access",
      message: "Without these rules, the same files can be read through the dataset 'Tests/wide', the fileset 'all', the fileset 'below'.",
      path: "access",
    },
  ]);
  const table = { kind: "table" as const, name: "lake.public.staff" };
  await admin("POST", path, { ...dataset(null, { id: "table", source: { ...table, name: "lake.public.STAFF" } }) });
  expect(await found(access, { source: table })).toEqual([["other-access", "access"]]);
});

it("warns that rules do not reach the files that rows name", async () => {
  const columns = [
    buildColumn("team", "STRING"),
    buildColumn("file", "STRING"),
    { ...buildColumn("opens", "STRING"), combined: { type: "FILESET" as const, fields: ["team", "file"], joinedBy: "/" } },
  ];
  expect(await found(rules(grant()), { schema: { columns } })).toEqual([["open-files", "access.rules"]]);
  expect(await found({ rules: [] }, { schema: { columns } })).toEqual([]);
});
