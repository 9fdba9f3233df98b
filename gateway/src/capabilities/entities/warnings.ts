import { entityDefinitions } from "@fairway/contract/administration";
import { everyone } from "@fairway/contract/access";
import type { EntityWarning } from "@fairway/contract/entity-warning";
import type { Entity } from "@fairway/contract/entities";
import type { AdministeredType } from "@fairway/contract/entity-types";
import { isJsonObject } from "@fairway/contract/json";
import { sql } from "kysely";
import { LookAlikes } from "#identity/username.ts";
import { type AccessFacts, accessWarnings, noAccessFacts, readAccessFacts } from "./access-warnings.ts";
import type { Trx } from "./entity-repository.ts";
import { TimeSlice } from "#threads/time-slice.ts";
import { unclearNames } from "./name-warnings.ts";

/** Lookup data for checks, read once for all entities of a response. Decision 0160. */
export interface WarningFacts {
  /** Names of all roles. */
  readonly roles: ReadonlySet<string>;
  /** Whether a dataset with this category and id exists, enabled or not. */
  readonly hasDataset: (category: string, id: string) => boolean;
  /** Other usernames that look like this one. */
  readonly similarUsernames: (username: string) => readonly string[];
  /** Of internal datasets; nothing for other types. */
  readonly access: AccessFacts;
}

/** How long a response waits for checks that read files. A check that takes longer continues for the next response. */
export interface WaitPolicy {
  readonly waitMs: number;
  /** Whether a check without a result by then adds a warning. Not for lists, which are requested repeatedly. */
  readonly warnsOnTimeout: boolean;
}

export const waitPolicies = {
  one: { waitMs: 3_000, warnsOnTimeout: true },
  list: { waitMs: 300, warnsOnTimeout: false },
  preview: { waitMs: 5_000, warnsOnTimeout: false },
} as const satisfies Record<string, WaitPolicy>;

/** Returns the reasons why an entity does not work. Bodies may be older than their schema, so nothing about them is certain. */
export type WarningCheck = (
  entity: Readonly<Record<string, unknown>>,
  facts: WarningFacts,
  policy: WaitPolicy,
) => readonly EntityWarning[] | Promise<readonly EntityWarning[]>;

/** Checks that need other parts of the portal. */
export interface WarningParts {
  /** Whether the data of an internal dataset can be read as described. */
  readonly data: WarningCheck;
  /** Whether the lookups and computed columns of an internal dataset can be made. */
  readonly derived: WarningCheck;
  /** Whether the access rules of an internal dataset are slow, or the order of its rows tells what they withhold. */
  readonly rules: WarningCheck;
  /** Whether the keystore of an external dataset exists. */
  readonly keystore: WarningCheck;
  /** Whether the bucket of a fileset can be used. */
  readonly bucket: WarningCheck;
}

/** Checks of a type in addition to those of its names. */
interface SpecialChecks {
  /** The field that names roles. */
  readonly roles?: string;
  readonly more?: readonly WarningCheck[];
}

/** The checks of a type. */
export function warningChecks(type: AdministeredType, { data, derived, rules, keystore, bucket }: WarningParts): readonly WarningCheck[] {
  const special: { readonly [Type in AdministeredType]?: SpecialChecks } = {
    "datasets/internal": { roles: "roles", more: [missingLinks, rules, accessWarnings, derived, data] },
    "datasets/external": { roles: "roles", more: [keystore] },
    ecosystems: { roles: "roles" },
    filesets: { roles: "allowedRoles", more: [bucket] },
    notices: { roles: "roles" },
    // The groups and roles of users and groups always exist: they are checked on save and cannot be deleted while in use.
    users: { more: [similarUsername] },
  };
  const { roles, more = [] } = special[type] ?? {};
  const { keys } = entityDefinitions[type];
  return [...(roles === undefined ? [] : [unknownRoles(roles)]), unclearNames(...keys), ...more];
}

/** Runs the checks of one type over entities, and adds what they find. */
export async function withWarnings(
  checks: readonly WarningCheck[],
  entities: readonly Entity[],
  facts: WarningFacts,
  policy: WaitPolicy,
): Promise<Entity[]> {
  const checked = async (entity: Entity): Promise<Entity> => {
    const warnings = (await Promise.all(checks.map(async (check) => check(entity, facts, policy)))).flat();
    return warnings.length === 0 ? entity : { ...entity, warnings: warnings.slice(0, maxWarnings) };
  };
  const slice = new TimeSlice();
  const all: Promise<Entity>[] = [];
  for (const entity of entities) {
    await slice.end();
    const pending = checked(entity);
    // Handled by `Promise.all` below; prevents an unhandled rejection until then.
    pending.catch(() => undefined);
    all.push(pending);
  }
  return Promise.all(all);
}

/** More are not useful: every column of a dataset may be missing. */
const maxWarnings = 50;

/** Reads the lookup data for the checks of a type. */
export async function readWarningFacts(trx: Trx, type: string): Promise<WarningFacts> {
  const roles = await trx.selectFrom("roles").select("name").execute();
  const { rows } = await sql<{ category: string; id: string }>`
    select body ->> 'category' as category, id from entities where type = 'datasets/internal'
    union all
    select id, api ->> 'name' from entities, jsonb_array_elements(case jsonb_typeof(body -> 'apis') when 'array' then body -> 'apis' end) as api
    where type = 'datasets/external'`.execute(trx);
  const datasets = new Set(rows.map(({ category, id }) => JSON.stringify([category, id])));
  return {
    roles: new Set(roles.map(({ name }) => name)),
    hasDataset: (category, id) => datasets.has(JSON.stringify([category, id])),
    similarUsernames: type === "users" ? await readSimilarUsernames(trx) : () => [],
    access: type === "datasets/internal" ? await readAccessFacts(trx) : noAccessFacts,
  };
}

/** ASCII usernames never look alike, so nothing is compared if all are ASCII. */
async function readSimilarUsernames(trx: Trx): Promise<WarningFacts["similarUsernames"]> {
  const other = await trx
    .selectFrom("users")
    .select("id")
    .where(sql<boolean>`username ~ '[^\\x01-\\x7f]'`)
    .limit(1)
    .executeTakeFirst();
  if (!other) return () => [];
  const users = await trx.selectFrom("users").select("username").orderBy("username_key").execute();
  const index = await LookAlikes.of(users.map(({ username }) => username));
  return (username) => index.findAll(username);
}

/** Warns of look-alike usernames, which could be saved before they were checked. */
const similarUsername: WarningCheck = ({ username }, { similarUsernames }) => {
  const similar = typeof username === "string" ? similarUsernames(username) : [];
  if (similar.length === 0) return [];
  const named = similar
    .slice(0, 3)
    .map((name) => `'${name}'`)
    .join(", ");
  const message = `This username looks like ${named}. It works, but people may confuse the two.`;
  return [{ code: "similar-name", message, path: "username" }];
};

/** Warns of missing roles; a list of only missing ones excludes everyone. Items are names or `{roleName}` objects. */
const unknownRoles =
  (field: string): WarningCheck =>
  (entity, { roles }) => {
    const named = listOf(entity[field]).map((item) => (isJsonObject(item) ? item["roleName"] : item));
    const isKnown = (name: unknown) => typeof name !== "string" || name === everyone || roles.has(name);
    const excludesEveryone = named.every((name) => !isKnown(name));
    return named.flatMap((name, index): EntityWarning[] => {
      if (isKnown(name)) return [];
      const message = `There is no role '${String(name)}'.${excludesEveryone ? " Nobody can use this as long as none of its roles exists." : ""}`;
      return [{ code: "unknown-role", message, path: `${field}.${index}${isJsonObject(listOf(entity[field])[index]) ? ".roleName" : ""}` }];
    });
  };

const missingLinks: WarningCheck = (entity, { hasDataset }) =>
  listOf(entity["linkedDatasets"]).flatMap((link, index): EntityWarning[] => {
    if (!isJsonObject(link)) return [];
    const [category, id] = [String(link["datasetCategory"]), String(link["datasetId"])];
    if (hasDataset(category, id)) return [];
    return [{ code: "missing-dataset", message: `There is no dataset '${category}/${id}' to link to.`, path: `linkedDatasets.${index}` }];
  });

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
