import { isDeepStrictEqual } from "node:util";
import { isBucketGlob, isSingleKey, parseBucketGlob } from "@fairway/contract/bucket-globs";
import { type DatasetAccess, datasetAccess, hasValueOfReader, type ReaderValue } from "@fairway/contract/dataset-access";
import type { EntityWarning } from "@fairway/contract/entity-warning";
import { isJsonObject } from "@fairway/contract/json";
import { sql } from "kysely";
import type { Trx } from "./entity-repository.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Facts about everything that opens the same rows as a dataset with rules, besides its roles. */
export interface AccessFacts {
  /** Enabled internal datasets. */
  readonly datasets: readonly { readonly category: string; readonly id: string; readonly source: Source; readonly access: unknown }[];
  readonly filesets: readonly {
    readonly id: string;
    readonly bucket: string;
    readonly prefix: string;
    readonly roles: readonly string[];
  }[];
  /** Groups that got another name lately. */
  readonly renamedGroups: readonly { readonly before: string; readonly after: string }[];
}

interface Source {
  readonly kind: string;
  /** The files, or the table. */
  readonly name: string;
}

export const noAccessFacts: AccessFacts = { datasets: [], filesets: [], renamedGroups: [] };

/** Rows that name a group by its former name are likely to be corrected within this time. */
const renamedDays = 30;

export async function readAccessFacts(trx: Trx): Promise<AccessFacts> {
  const { rows: datasets } = await sql<{ id: string; category: string; kind: string; name: string; access: unknown }>`
    select id, body ->> 'category' as category, case when body -> 'source' ? 'glob' then 'files' else 'table' end as kind,
      coalesce(body #>> '{source,glob}', body #>> '{source,name}', '') as name, body -> 'access' as access
    from entities where type = 'datasets/internal' and enabled order by id collate "C"`.execute(trx);
  const { rows: filesets } = await sql<{ id: string; bucket: string; prefix: string; roles: string[] }>`
    select id, coalesce(body ->> 's3Bucket', '') as bucket, coalesce(body ->> 's3Prefix', '') as prefix,
      array(select jsonb_path_query(body, '$.allowedRoles[*].roleName') #>> '{}') as roles
    from entities where type = 'filesets' and enabled order by id collate "C"`.execute(trx);
  const { rows: renamedGroups } = await sql<{ before: string; after: string }>`
    select distinct before ->> 'name' as before, after ->> 'name' as after from entity_revisions
    where type = 'groups' and at > now() - make_interval(days => ${renamedDays}) and before ->> 'name' <> after ->> 'name'
      and not exists (select from groups where name = before ->> 'name')
    order by 1, 2`.execute(trx);
  return {
    datasets: datasets.map(({ id, category, kind, name, access }) => ({ id, category, source: { kind, name }, access })),
    filesets,
    renamedGroups,
  };
}

/** Warns of rules that show more or less than they seem to. */
export function accessWarnings(
  entity: Fields,
  facts: { readonly roles: ReadonlySet<string>; readonly access: AccessFacts },
): readonly EntityWarning[] {
  const { data: access } = datasetAccess.safeParse(entity["access"]);
  if (access === undefined || !isLimiting(access)) return [];
  return [
    ...sameRows(entity, access, facts.access),
    ...namedFiles(entity, access),
    ...readerValues(access, facts.access),
    // Many last: an answer has a limited number of warnings.
    ...emptyValues(access),
    ...unknownRoles(access, facts.roles),
  ];
}

const isLimiting = ({ rules = [], columns = [], unnamedColumns }: DatasetAccess): boolean =>
  rules.length > 0 || columns.length > 0 || unnamedColumns === "withheld";

function unknownRoles({ rules = [], columns = [] }: DatasetAccess, known: ReadonlySet<string>): EntityWarning[] {
  const unknown = (roles: readonly string[], path: string, effect: string) =>
    roles.flatMap((role, index): EntityWarning[] =>
      role === "*" || known.has(role)
        ? []
        : [{ code: "unknown-role", message: `There is no role '${role}': ${effect}.`, path: `${path}.roles.${index}` }],
    );
  return [
    ...rules.flatMap(({ grants }, rule) =>
      grants.flatMap(({ roles }, grant) => unknown(roles, `access.rules.${rule}.grants.${grant}`, "it shows nobody these rows")),
    ),
    ...columns.flatMap(({ roles }, index) => unknown(roles, `access.columns.${index}`, "it shows nobody these columns")),
  ];
}

/** Every filter of the rules, with its path. */
const filtersOf = ({ rules = [] }: DatasetAccess) =>
  rules.flatMap(({ grants }, rule) =>
    grants.flatMap(({ rows }, grant) =>
      (rows === "all" ? [] : (rows.filters ?? [])).map((filter, index) => ({
        filter,
        path: `access.rules.${rule}.grants.${grant}.rows.filters.${index}`,
      })),
    ),
  );

const emptyValues = (access: DatasetAccess): EntityWarning[] =>
  filtersOf(access).flatMap(({ filter, path }) => {
    if (hasValueOfReader(filter) || filter.operator !== "<>" || filter.value === null) return [];
    return [{ code: "shows-empty", message: `'<>' also shows rows without a value in '${filter.name}'.`, path: `${path}.operator` }];
  });

/** Warns once of each kind of value. */
function readerValues(access: DatasetAccess, { renamedGroups }: AccessFacts): EntityWarning[] {
  const first = (kind: ReaderValue) => filtersOf(access).find(({ filter }) => hasValueOfReader(filter) && filter.valueFrom === kind);
  const [byUsername, byGroups] = [first("username"), first("groups")];
  const usernames = "A new account can take the username of a deleted one: it then sees the rows that name it.";
  const groups = renamedGroups.map(({ before, after }) => `The group '${before}' is '${after}' now`).slice(0, 3);
  return [
    ...(byUsername === undefined ? [] : [{ code: "username-reuse", message: usernames, path: `${byUsername.path}.valueFrom` }]),
    ...(byGroups === undefined || groups.length === 0
      ? []
      : [
          {
            code: "renamed-group",
            message: `${groups.join(", ")}: its members see the rows that name it as soon as these have the new name.`,
            path: `${byGroups.path}.valueFrom`,
          },
        ]),
  ];
}

const maxNamed = 5;

/** Other ways to the same rows, or to the files that hold them. */
function sameRows(entity: Fields, access: DatasetAccess, { datasets, filesets }: AccessFacts): EntityWarning[] {
  const source = sourceOf(entity["source"]);
  if (source === undefined) return [];
  const isOther = ({ category, id }: { readonly category: string; readonly id: string }) =>
    id !== entity["id"] || category !== entity["category"];
  const open = datasets.filter((other) => isOther(other) && mayShareRows(source, other.source) && !isDeepStrictEqual(other.access, access));
  const opening = filesets.filter((fileset) => mayHoldFiles(fileset, source));
  const named = [...open.map(({ category, id }) => `the dataset '${category}/${id}'`), ...opening.map(({ id }) => `the fileset '${id}'`)];
  if (named.length === 0) return [];
  const more = named.length > maxNamed ? ` and ${named.length - maxNamed} more` : "";
  const message = `Without these rules, the same ${source.kind === "files" ? "files" : "table"} can be read through ${named.slice(0, maxNamed).join(", ")}${more}.`;
  return [{ code: "other-access", message, path: "access" }];
}

function sourceOf(source: unknown): Source | undefined {
  if (!isJsonObject(source)) return undefined;
  const { kind, glob, name } = source;
  if (kind === "files" && typeof glob === "string") return { kind, name: glob };
  return kind === "table" && typeof name === "string" ? { kind, name } : undefined;
}

function mayShareRows(one: Source, other: Source): boolean {
  if (one.kind !== other.kind) return false;
  return one.kind === "table" ? one.name.toLowerCase() === other.name.toLowerCase() : mayMatchSame(one.name, other.name);
}

/** Whether two patterns may match one file: the fixed texts before and after their special characters agree, and the number of folders. */
function mayMatchSame(one: string, other: string): boolean {
  const [left, right] = [plainGlob(one), plainGlob(other)];
  if (isSingle(left) && isSingle(right)) return left === right;
  const isDeep = left.includes("**") || right.includes("**");
  const depthOf = (glob: string) => glob.split("/").length;
  return (isDeep || depthOf(left) === depthOf(right)) && startsAlike(startOf(left), startOf(right)) && endsAlike(endOf(left), endOf(right));
}

const plainGlob = (glob: string): string => glob.replace(/^(?:\.?\/)+/, "");
const isSingle = (glob: string): boolean => isSingleKey(glob) && !/[{}\\]/.test(glob);

const startOf = (glob: string): string => glob.split(/[*?[{\\]/, 1)[0] ?? "";
const endOf = (glob: string): string => glob.split(/[*?\]}\\]/).at(-1) ?? "";

const startsAlike = (one: string, other: string): boolean => one.startsWith(other) || other.startsWith(one);
const endsAlike = (one: string, other: string): boolean => one.endsWith(other) || other.endsWith(one);

function mayHoldFiles({ bucket, prefix }: AccessFacts["filesets"][number], source: Source): boolean {
  if (source.kind !== "files" || !isBucketGlob(source.name)) return false;
  const glob = parseBucketGlob(source.name);
  return glob?.bucket === bucket && startsAlike(startOf(glob.pattern), prefix.replace(/^\/+/, ""));
}

/** Rules do not reach the files that rows name. */
function namedFiles(entity: Fields, { rules = [] }: DatasetAccess): EntityWarning[] {
  const schema = entity["schema"];
  const columns = isJsonObject(schema) && Array.isArray(schema["columns"]) ? (schema["columns"] as unknown[]) : [];
  const names = columns.flatMap((column) =>
    isJsonObject(column) && isJsonObject(column["combined"]) && column["combined"]["type"] === "FILESET" ? [String(column["name"])] : [],
  );
  if (rules.length === 0 || names.length === 0) return [];
  const message = `Rows name files of filesets in '${names.join("', '")}'. Rules do not reach files: everybody with access to a fileset can read all of its files.`;
  return [{ code: "open-files", message, path: "access.rules" }];
}
