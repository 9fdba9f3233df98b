import { entityDefinitions } from "@fairway/contract/administration";
import { everyone } from "@fairway/contract/access";
import type { Entity, EntityWarning } from "@fairway/contract/entities";
import type { AdministeredType } from "@fairway/contract/entity-types";
import { isJsonObject } from "@fairway/contract/json";
import { sql } from "kysely";
import { LookAlikes } from "#identity/username.ts";
import type { Trx } from "./entity-repository.ts";
import { TimeSlice } from "#threads/time-slice.ts";
import { unclearNames } from "./name-warnings.ts";

/** What checks look up, read once for all entities of one answer. Decision 0160. */
export interface WarningFacts {
  /** The names of the roles there are. */
  readonly roles: ReadonlySet<string>;
  /** Whether there is a dataset, enabled or not, of this category and id. */
  readonly hasDataset: (category: string, id: string) => boolean;
  /** Other usernames that look the same as this one. */
  readonly similarUsernames: (username: string) => readonly string[];
}

/** How long an answer waits for checks that look at files. One that is not done by then goes on, for the next answer. */
export interface Patience {
  readonly waitMs: number;
  /** Whether what is not known by then is itself a warning. Lists are asked for again and again; a save is looked at once. */
  readonly saysUnknown: boolean;
}

export const patience = {
  one: { waitMs: 3_000, saysUnknown: true },
  list: { waitMs: 300, saysUnknown: false },
  preview: { waitMs: 5_000, saysUnknown: false },
} as const satisfies Record<string, Patience>;

/** Says why an entity does not work as it stands; nothing where it does. Bodies may be older than their schema: nothing in them is certain. */
export type WarningCheck = (
  entity: Readonly<Record<string, unknown>>,
  facts: WarningFacts,
  patient: Patience,
) => readonly EntityWarning[] | Promise<readonly EntityWarning[]>;

/** What the portal itself has to be asked. */
export interface WarningParts {
  /** Whether the data of an internal dataset can be read as described. */
  readonly data: WarningCheck;
  /** Whether the keystore of an external dataset is there. */
  readonly keystore: WarningCheck;
}

/** What a type is checked for besides its names. */
interface SpecialChecks {
  /** The field that names roles. */
  readonly roles?: string;
  readonly more?: readonly WarningCheck[];
}

/** The checks of a type. */
export function warningChecks(type: AdministeredType, { data, keystore }: WarningParts): readonly WarningCheck[] {
  const special: { readonly [Type in AdministeredType]?: SpecialChecks } = {
    "datasets/internal": { roles: "roles", more: [missingLinks, data] },
    "datasets/external": { roles: "roles", more: [keystore] },
    ecosystems: { roles: "roles" },
    filesets: { roles: "allowedRoles" },
    notices: { roles: "roles" },
    // Groups and roles that a user or a group names have to exist when it is saved, and stay while it does.
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
  patient: Patience,
): Promise<Entity[]> {
  const checked = async (entity: Entity): Promise<Entity> => {
    const warnings = (await Promise.all(checks.map(async (check) => check(entity, facts, patient)))).flat();
    return warnings.length === 0 ? entity : { ...entity, warnings: warnings.slice(0, mostWarnings) };
  };
  const slice = new TimeSlice();
  const all: Promise<Entity>[] = [];
  for (const entity of entities) {
    await slice.end();
    const one = checked(entity);
    // Told by all of them together; one that rejects meanwhile must not end the process.
    one.catch(() => undefined);
    all.push(one);
  }
  return Promise.all(all);
}

/** More than these say nothing new: every column of a dataset may be missing. */
const mostWarnings = 50;

/** What the checks of a type look up. */
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
  };
}

/** Names of ASCII letters alone are told apart: where all are, nothing has to be compared. */
async function readSimilarUsernames(trx: Trx): Promise<WarningFacts["similarUsernames"]> {
  const other = await trx
    .selectFrom("users")
    .select("id")
    .where(sql<boolean>`username ~ '[^\\x01-\\x7f]'`)
    .limit(1)
    .executeTakeFirst();
  if (!other) return () => [];
  const users = await trx.selectFrom("users").select("username").orderBy("username_key").execute();
  const known = new LookAlikes(users.map(({ username }) => username));
  return (username) => known.findAll(username);
}

/** Usernames that were saved before they were compared. */
const similarUsername: WarningCheck = ({ username }, { similarUsernames }) => {
  const similar = typeof username === "string" ? similarUsernames(username) : [];
  if (similar.length === 0) return [];
  const named = similar
    .slice(0, 3)
    .map((one) => `'${one}'`)
    .join(", ");
  const message = `This username looks like ${named}. It works, but people may take one for the other.`;
  return [{ code: "similar-name", message, path: "username" }];
};

/** Names of roles that there are not: a list of nothing else shuts everybody out. They stand alone, or as `{roleName}`. */
const unknownRoles =
  (field: string): WarningCheck =>
  (entity, { roles }) => {
    const named = listOf(entity[field]).map((one) => (isJsonObject(one) ? one["roleName"] : one));
    const isKnown = (name: unknown) => typeof name !== "string" || name === everyone || roles.has(name);
    const isShut = named.every((name) => !isKnown(name));
    return named.flatMap((name, index): EntityWarning[] => {
      if (isKnown(name)) return [];
      const message = `There is no role '${String(name)}'.${isShut ? " Nobody can use this as long as none of its roles exists." : ""}`;
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
