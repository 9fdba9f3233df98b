import { createHash } from "node:crypto";
import type { DatasetRef, DatasetSchema, SchemaColumn } from "@fairway/contract/datasets";
import { descriptionSuggestions } from "@fairway/contract/description-suggestions";
import { type DescriptionLayer, descriptions as contract, type DescriptionsDraft } from "@fairway/contract/descriptions";
import type { ErrorItem } from "@fairway/contract/errors";
import type { Kysely } from "kysely";
import { type Capability, implement } from "#http/capability.ts";
import type { Database } from "#database/schema.ts";
import { attachment } from "#http/attachment.ts";
import type { CallContext, Handlers } from "#http/handlers.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";
import { usersHolding } from "#identity/user-without-session.ts";
import type { SecurityLimits } from "#identity/security-limits.ts";
import { descriptionsCsv } from "./descriptions-csv.ts";
import { DescriptionStore, type Layer, type StoredDescriptions } from "./store.ts";
import { suggestionHandlers, type SuggestingParts } from "./suggesting.ts";
import { SuggestionStore } from "./suggestions.ts";

/** A dataset's schema with the descriptions of the system only. */
type SystemSchema = Omit<DatasetSchema, "communityDescription" | "userDescription" | "columns"> & {
  readonly columns: readonly Omit<SchemaColumn, "communityDescription" | "userDescription">[];
};

interface Parts extends Pick<SuggestingParts, "schemasOf" | "canRead" | "scopeKeysOf" | "notifier"> {
  readonly db: Kysely<Database>;
  /** Refuses with not-found a dataset that the user may not know about. */
  readonly schemaOf: (user: SignedInUser, dataset: DatasetRef) => Promise<SystemSchema>;
  readonly limits: Pick<SecurityLimits, "descriptionSuggestionsPerUser">;
}

interface DatasetCall extends Pick<CallContext, "ifMatch" | "answerVersion"> {
  readonly user: SignedInUser;
  readonly params: { readonly category: string; readonly datasetId: string };
}

interface Descriptions extends Capability {
  readonly communityDescriptions: () => Promise<(DatasetRef & { description: string })[]>;
}

/** Schemas of datasets, with the community's and each user's own descriptions. Decision 0380. */
export function openDescriptions({ db, schemaOf, limits, ...parts }: Parts): Descriptions {
  const store = new DescriptionStore(db);
  const suggestions = new SuggestionStore(db, limits.descriptionSuggestionsPerUser);

  const read = async (call: DatasetCall, layer: Layer) => {
    const dataset = refOf(call.params);
    const schema = await schemaOf(call.user, dataset);
    const descriptions = await store.read(dataset, layer);
    call.answerVersion(etagOf(layer, descriptions, schema));
    return layerOf(schema, descriptions);
  };

  const save = async (call: DatasetCall & { readonly body: DescriptionsDraft }, layer: Layer) => {
    const dataset = refOf(call.params);
    const schema = await schemaOf(call.user, dataset);
    requireColumns(schema, call.body);
    const change = { expected: expectedVersion(layer, call.ifMatch), username: call.user.username };
    const { saved, now } = await store.save(dataset, layer, call.body, change);
    if (!saved) {
      throw new Refusal("stale-version", "These descriptions have changed since you read them.", { current: layerOf(schema, now) });
    }
    call.answerVersion(etagOf(layer, now, schema));
    return layerOf(schema, now);
  };

  const readAll = async ({ user, params }: Pick<DatasetCall, "user" | "params">) => {
    const dataset = refOf(params);
    const schema = await schemaOf(user, dataset);
    return { schema, ...(await store.readBoth(dataset, user.id)) };
  };

  const handlers: Handlers<typeof contract> = {
    schema: async (call) => {
      const { schema, community, own } = await readAll(call);
      const tags = [tagOf("community", community), tagOf({ userId: call.user.id }, own)];
      call.answerVersion(`"${tags.join(".")}.${fingerprint(schema)}"`);
      return withLayers(schema, community, own);
    },
    csv: async (call) => {
      const { schema, community, own } = await readAll(call);
      return {
        contentType: "text/csv; charset=utf-8; header=present",
        headers: { "content-disposition": attachment(`${call.params.datasetId}-descriptions.csv`) },
        chunks: descriptionsCsv(withLayers(schema, community, own), call.query.bom === "true"),
      };
    },
    community: (call) => read(call, "community"),
    saveCommunity: (call) => save(call, "community"),
    communityRevisions: async ({ user, params, query }) => {
      const dataset = refOf(params);
      const schema = await schemaOf(user, dataset);
      const revisions = await store.communityRevisions(dataset, query.before);
      return revisions.map((revision) =>
        Object.assign(layerOf(schema, revision), {
          version: revision.version,
          username: revision.username,
          suggestedBy: revision.suggestedBy,
          savedMs: revision.savedAt.getTime(),
        }),
      );
    },
    user: (call) => read(call, { userId: call.user.id }),
    saveUser: (call) => save(call, { userId: call.user.id }),
  };
  const holders = (role: string) => usersHolding(db, role);
  return {
    communityDescriptions: () => store.communityDescriptions(),
    routes: {
      descriptions: implement(contract, handlers),
      descriptionSuggestions: implement(
        descriptionSuggestions,
        suggestionHandlers({ ...parts, store, suggestions, schemaOf, holdersOf: holders }),
      ),
    },
  };
}

const refOf = ({ category, datasetId }: { category: string; datasetId: string }): DatasetRef => ({ datasetCategory: category, datasetId });

const layerOf = ({ columns }: SystemSchema, stored: StoredDescriptions): DescriptionLayer => ({
  description: stored.description,
  columns: columns.map(({ name }) => ({ name, description: stored.columns.get(name) ?? "" })),
});

const withLayers = (schema: SystemSchema, community: StoredDescriptions, user: StoredDescriptions): DatasetSchema => ({
  ...schema,
  communityDescription: community.description,
  userDescription: user.description,
  columns: schema.columns.map((column) => ({
    ...column,
    communityDescription: community.columns.get(column.name) ?? "",
    userDescription: user.columns.get(column.name) ?? "",
  })),
});

/** Refuses columns that the dataset does not have, and columns that occur twice. */
function requireColumns({ columns }: SystemSchema, { columnDescriptions }: DescriptionsDraft): void {
  const names = new Set(columns.map(({ name }) => name));
  const seen = new Set<string>();
  const errors = columnDescriptions.flatMap(({ columnName }, index): ErrorItem[] => {
    const path = `columnDescriptions.${index}.columnName`;
    if (!names.has(columnName)) return [{ code: "unknown-column", message: `The dataset has no column '${columnName}'.`, path }];
    if (seen.has(columnName)) return [{ code: "invalid-value", message: `The column '${columnName}' occurs twice.`, path }];
    seen.add(columnName);
    return [];
  });
  const [first, ...others] = errors;
  if (first !== undefined) throw Refusal.of([first, ...others]);
}

/** The version of a layer in an ETag. The ETag of a schema holds those of both layers, so that it can be used for either. */
const tagOf = (layer: Layer, { version }: StoredDescriptions): string => `${layer === "community" ? "c" : "u"}${version}`;

/** The answers name the schema's columns. */
const etagOf = (layer: Layer, stored: StoredDescriptions, schema: SystemSchema): string =>
  `"${tagOf(layer, stored)}.${fingerprint(schema)}"`;

const communityTag = /[".]c(\d{1,9})[".]/;
const userTag = /[".]u(\d{1,9})[".]/;

/** Undefined if every version may be changed. An ETag that does not name the layer's version never matches. */
function expectedVersion(layer: Layer, ifMatch: string | undefined): number | undefined {
  if (ifMatch === undefined || ifMatch.trim() === "*") return undefined;
  const version = (layer === "community" ? communityTag : userTag).exec(ifMatch)?.[1];
  return version === undefined ? -1 : Number(version);
}

const fingerprints = new WeakMap<SystemSchema, string>();

function fingerprint(schema: SystemSchema): string {
  const known = fingerprints.get(schema);
  if (known !== undefined) return known;
  const text = createHash("sha256").update(JSON.stringify(schema)).digest("base64url").slice(0, 12);
  fingerprints.set(schema, text);
  return text;
}
