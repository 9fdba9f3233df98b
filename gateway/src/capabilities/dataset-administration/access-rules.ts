import { accessProblems } from "@fairway/contract/dataset-access-problems";
import { type AccessGrant, type DatasetAccess, hasValueOfReader } from "@fairway/contract/dataset-access";
import type {
  AccessCheck,
  AccessPreview,
  datasetAccessAdministration,
  ReaderToShow,
} from "@fairway/contract/dataset-access-administration";
import type { Entity } from "@fairway/contract/entities";
import type { EntityWarning } from "@fairway/contract/entity-warning";
import type { ErrorItem } from "@fairway/contract/errors";
import { type InternalDataset, internalDataset } from "@fairway/contract/internal-datasets";
import type { Handlers } from "#http/handlers.ts";
import { Refusal } from "#http/refusal.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { madeUpReader } from "#identity/made-up-reader.ts";
import { type EngineCall, EngineFailed } from "#query/engine.ts";
import type { SearchableDataset } from "#query/searchable-dataset.ts";
import { sampleOf } from "./inspect-source.ts";

/** A dataset as a reader would have it. */
interface Shown extends Pick<AccessPreview, "reads" | "rows" | "missing"> {
  readonly columns: readonly Pick<AccessPreview["columns"][number], "name" | "shown">[];
}

export interface AccessParts {
  readonly datasets: {
    /** Refuses with not-found. */
    get(id: string): Promise<Entity>;
    /** The warnings of a dataset that need not be saved. */
    warningsOf(entity: Entity): Promise<readonly EntityWarning[]>;
  };
  readonly roleNames: () => Promise<ReadonlySet<string>>;
  /** Runs work on a dataset that need not be saved, through the views and engines of its readers. */
  readonly useAs: <T>(
    dataset: InternalDataset,
    reader: SignedInUser,
    work: (dataset: SearchableDataset, shown: Shown) => Promise<T>,
  ) => Promise<T>;
  /** Undefined for an account that does not exist or is locked. */
  readonly findReader: (userId: string) => Promise<SignedInUser | undefined>;
}

const sampleRows = 25;
/** Counts that take longer are not answered. */
const countMs = 5_000;
const concurrentCounts = 2;

export const accessRoutes = (parts: AccessParts): Handlers<typeof datasetAccessAdministration> => ({
  check: ({ params, body, user, signal }) => checkAccess(parts, params.id, body.access, callOf(user, signal)),
  preview: (call) => {
    const noteForAudit = (note: string) => call.noteForAudit(note);
    return previewAccess(parts, call.params.id, call.body, { ...callOf(call.user, call.signal), noteForAudit });
  },
});

// Query servers are asked on behalf of the administrator, so that nobody sees more there than their own account does.
const callOf = (user: SignedInUser, signal: AbortSignal): EngineCall => ({ signal, owner: user.id, user: user.username });

/** Shows a dataset as one of its readers has it, by rules that need not be saved. */
async function previewAccess(
  parts: AccessParts,
  id: string,
  { access, as }: { readonly access?: DatasetAccess | null | undefined; readonly as: ReaderToShow },
  { noteForAudit, ...call }: EngineCall & { readonly noteForAudit: (note: string) => void },
): Promise<AccessPreview> {
  const dataset = await ruledDataset(parts, id, access);
  const reader = await readerOf(parts, as);
  noteForAudit(noteOf(as, reader));
  return parts.useAs(dataset, reader, async (searchable, { columns, ...shown }) => {
    const isEmpty = !shown.reads || shown.rows === "none";
    const [count, sample] = isEmpty
      ? [0, []]
      : await Promise.all([
          countOf(searchable, within(call, countMs)),
          sampleOf(searchable.engine, searchable.queryable, sampleRows, call),
        ]);
    return {
      ...shown,
      missing: [...shown.missing],
      count,
      columns: columns.map((column) => ({ ...column, by: shownBy(dataset, column, reader) })),
      sample,
    };
  });
}

/** Finds out what rules do, without storing them. */
async function checkAccess(parts: AccessParts, id: string, access: DatasetAccess | null, call: EngineCall): Promise<AccessCheck> {
  const dataset = await ruledDataset(parts, id, access);
  const counting = within(call, countMs);
  const rules = access?.rules ?? [];
  const [warnings, known] = await Promise.all([parts.datasets.warningsOf({ ...dataset, version: 0 }), parts.roleNames()]);
  const count = (counted: DatasetAccess["rules"]) => countWith(parts, dataset, counted ?? [], counting);
  const all = rules.flatMap(({ grants }, rule) => grants.map(({ rows }, grant) => ({ rule, grant, rows })));
  const total = rules.length === 0 ? Promise.resolve(0) : count([]);
  const seen = all.some(({ rows }) => takesFromReader(rows)) ? null : seenRules(rules, known);
  const unseen = Promise.all([total, seen === null ? null : count(seen)]);
  const grants = await eachOf(all, async ({ rows, ...place }) => ({
    ...place,
    rows:
      rows === "all"
        ? await total
        : takesFromReader(rows)
          ? null
          : await count([{ name: "of one grant", grants: [{ roles: ["*"], rows }] }]),
  }));
  const [ofAll, ofSeen] = await unseen;
  return {
    warnings: warnings.filter(({ path = "" }) => path === "access" || path.startsWith("access.")),
    grants,
    unseenRows: ofAll === null || ofSeen === null ? null : Math.max(0, ofAll - ofSeen),
  };
}

/** The stored dataset with other rules. Refuses those that a save would refuse, and a dataset that does not match its type. */
async function ruledDataset({ datasets }: AccessParts, id: string, sent: DatasetAccess | null | undefined): Promise<InternalDataset> {
  const { version: _version, enabled: _enabled, warnings: _warnings, ...body } = await datasets.get(id);
  const { access: stored, ...others } = body as unknown as InternalDataset;
  const parsed = internalDataset.safeParse(others);
  if (!parsed.success) throw new Refusal("invalid-request", "The stored dataset does not match its type: save it first.", { path: "id" });
  const access = sent === undefined ? (stored ?? null) : sent;
  const problems = access === null ? [] : accessProblems(parsed.data, access);
  const [first, ...more] = problems.map(({ path, message }): ErrorItem => {
    const field = ["access", ...path].join(".");
    return { code: "invalid-request", message: `'${field}': ${message}`, path: field };
  });
  if (first !== undefined) throw Refusal.of([first, ...more.slice(0, 99)]);
  return { ...parsed.data, access };
}

async function readerOf({ findReader }: AccessParts, as: ReaderToShow): Promise<SignedInUser> {
  if (!("userId" in as)) {
    const { roles, groups = [], username = "" } = as;
    return madeUpReader({ roles, groupNames: groups, username });
  }
  const reader = await findReader(as.userId);
  if (reader === undefined) throw new Refusal("not-found", "There is no such account, or it is locked.", { path: "as.userId" });
  return reader;
}

/** Whom a preview shows, by name. */
function noteOf(as: ReaderToShow, { username, roles, groupNames }: SignedInUser): string {
  if ("userId" in as) return `as ${username}`;
  const named = Object.entries({ user: username === "" ? [] : [username], roles, groups: groupNames }).filter(
    ([, list]) => list.length > 0,
  );
  return `as ${named.map(([noun, list]) => `${noun} ${listed(list)}`).join(", ") || "someone without roles"}`;
}

const maxNamed = 10;
const listed = (list: readonly string[]): string =>
  list.length <= maxNamed ? list.join(" ") : `${list.slice(0, maxNamed).join(" ")} and ${list.length - maxNamed} more`;

/** The roles of a reader that show a column which others do not have as stored. */
function shownBy({ access }: InternalDataset, { name, shown }: Shown["columns"][number], { roles }: SignedInUser): string[] {
  const rule = access?.columns?.find(({ names }) => names.includes(name));
  if (rule === undefined || shown !== "stored") return [];
  return rule.roles.filter((role) => roles.includes(role));
}

type GrantedRows = AccessGrant["rows"];

const takesFromReader = (rows: GrantedRows): boolean => rows !== "all" && (rows.filters ?? []).some(hasValueOfReader);

/** The rules as someone meets them who holds every role there is. */
const seenRules = (rules: NonNullable<DatasetAccess["rules"]>, known: ReadonlySet<string>): NonNullable<DatasetAccess["rules"]> =>
  rules.map((rule) => ({
    ...rule,
    grants: rule.grants.map((grant) => ({
      ...grant,
      roles: grant.roles.some((role) => role === "*" || known.has(role)) ? ["*"] : grant.roles,
    })),
  }));

/** The rows that rules show someone without roles. */
const countWith = (
  { useAs }: AccessParts,
  dataset: InternalDataset,
  rules: NonNullable<DatasetAccess["rules"]>,
  call: EngineCall,
): Promise<number | null> =>
  useAs({ ...dataset, roles: [], access: { rules } }, madeUpReader({ roles: [] }), (searchable, { rows }) =>
    rows === "none" ? Promise.resolve(0) : countOf(searchable, call),
  );

/** Null if it takes too long. */
async function countOf({ engine, queryable }: SearchableDataset, call: EngineCall): Promise<number | null> {
  try {
    const query = { timeRange: null, area: null, conditions: queryable.ownConditions };
    const [[rows] = []] = await engine.aggregate(queryable, [{ type: "count", column: "*" }], [], query, call);
    return Number(rows);
  } catch (error) {
    if (error instanceof EngineFailed && error.reason !== "not-ready") return null;
    throw error;
  }
}

const within = (call: EngineCall, ms: number): EngineCall => ({ ...call, signal: AbortSignal.any([call.signal, AbortSignal.timeout(ms)]) });

/** The results for all of a list, in its order, a few at a time. */
async function eachOf<T, Result>(list: readonly T[], work: (one: T) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  const entries = list.entries();
  const worker = async () => {
    for (const [index, one] of entries) results[index] = await work(one);
  };
  await Promise.all(Array.from({ length: concurrentCounts }, worker));
  return results;
}
