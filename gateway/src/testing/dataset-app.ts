import type { Column } from "@fairway/contract/columns";
import { type FieldFilter, filterSupport } from "@fairway/contract/datasets";
import type { ErrorBody } from "@fairway/contract/errors";
import type { InternalDataset } from "@fairway/contract/internal-datasets";
import { defaultLimits } from "@fairway/contract/limits";
import Fastify, { type FastifyInstance } from "fastify";
import pino from "pino";
import { openDatasetFacts } from "#capabilities/dataset-facts/capability.ts";
import { DatasetUsage } from "#capabilities/dataset-facts/usage.ts";
import { openDatasetGroups } from "#capabilities/dataset-groups/capability.ts";
import { type DatasetProfiles, openDatasetProfiles } from "#capabilities/dataset-profiles/capability.ts";
import { openDatasets } from "#capabilities/datasets/capability.ts";
import type { DatasetService } from "#capabilities/datasets/service.ts";
import { openDescriptions } from "#capabilities/descriptions/capability.ts";
import { openSearch } from "#capabilities/search/capability.ts";
import { type Capability, serveCapability } from "#http/capability.ts";
import { internalDatasets } from "#entities/entity-types.ts";
import { type EntityStore, entityStore } from "#entities/store.ts";
import { defaultSecurityLimits } from "#identity/security-limits.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { installErrorHandler } from "#http/error-handler.ts";
import { Gatekeeper } from "#http/gatekeeper.ts";
import { reachesFileset } from "#http/reach.ts";
import { type EngineBench, engineBench } from "#query/duckdb/test-files.ts";
import type { DatasetSource, QueryEngine } from "#query/engine.ts";
import { noServer } from "#query/presto/no-server.ts";
import { type EngineDefinition, EngineRegistry, openedEngine } from "#query/engines.ts";
import { noEngine } from "./no-engine.ts";
import { type TestDatabase, testDatabase } from "./postgres.ts";
import { secretKey } from "./secret-key.ts";
import { someUser } from "./some-user.ts";
import { testMasterKey } from "#testing/test-master-key.ts";

/** A caller by more than roles. */
export type CallerState = Pick<SignedInUser, "roles"> & Partial<Pick<SignedInUser, "id" | "username" | "groups" | "groupNames" | "reach">>;

export interface DatasetResponse<Body> {
  readonly status: number;
  readonly body: Body;
  readonly text: string;
  readonly bytes: Buffer;
  readonly contentType: string;
}

/**
 * A gateway with datasets, their descriptions, facts and search only, on a real database, a real engine and its own files. Everyone
 * may use the fileset `open`, and the role `insider` the fileset `insiders`.
 */
export interface DatasetApp {
  readonly app: FastifyInstance;
  /** Serves a further capability. */
  serve(capability: Capability): void;
  readonly bench: EngineBench;
  readonly entities: EntityStore;
  readonly service: DatasetService;
  /** Computes profiles on `runProfiler` only. */
  readonly profiles: DatasetProfiles;
  /** Written on `flush` only. */
  readonly usage: DatasetUsage;
  readonly database: TestDatabase;
  /** Calls as a user with these roles, or as one with more of their state; `"nobody"` calls without a token. */
  call<Body = ErrorBody>(
    roles: readonly string[] | CallerState | "nobody",
    method: "GET" | "POST",
    path: string,
    body?: unknown,
    accept?: string,
  ): Promise<DatasetResponse<Body>>;
  close(): Promise<void>;
}

interface Options {
  readonly limits?: Partial<typeof defaultLimits>;
  readonly categories?: readonly { id: string; description: string }[];
  readonly rest?: QueryEngine;
  readonly tables?: EngineDefinition<unknown>;
  readonly hasRowsPerReader?: (source: DatasetSource) => boolean;
}

export async function datasetApp({
  limits = {},
  categories = [],
  rest = noEngine,
  tables = openedEngine(noServer),
  hasRowsPerReader,
}: Options = {}): Promise<DatasetApp> {
  const allLimits = { ...defaultLimits, ...limits };
  const [database, bench] = await Promise.all([testDatabase(), engineBench({ limits: allLimits })]);
  const log = pino({ level: "silent" });
  const entities = entityStore(database.db, log, secretKey, () => service.changed());
  const engines = new EngineRegistry({ files: openedEngine(bench.engine), tables, rest: openedEngine(rest) }, log);
  const entityChanges = { subscribe: () => undefined };
  const service = openDatasets({
    entities,
    entityChanges,
    engines,
    categories,
    masterKey: testMasterKey,
    ...(hasRowsPerReader && { hasRowsPerReader }),
  });
  const app = Fastify({ routerOptions: { maxParamLength: 1_000 } });
  app.decorateRequest("signedIn", undefined);
  installErrorHandler(app);
  // The token is the encoded list of roles, or an object with roles and more of the caller.
  const readAccessToken = (token: string) => {
    const claims = JSON.parse(Buffer.from(token, "base64url").toString()) as readonly string[] | CallerState;
    return Promise.resolve(someUser("roles" in claims ? claims : { roles: claims }));
  };
  const gatekeeper = new Gatekeeper({ readAccessToken, readStepToken: () => Promise.resolve(undefined) });
  const serve = (capability: Capability) => serveCapability(app, gatekeeper, capability);
  serve(service);
  const { schema: schemaOf, schemas: schemasOf, canRead, scopeKeys: scopeKeysOf } = service;
  const notifier = { notify: () => Promise.resolve(), retract: () => Promise.resolve() };
  serve(openDescriptions({ db: database.db, schemaOf, schemasOf, canRead, scopeKeysOf, notifier, limits: defaultSecurityLimits }));
  const profiles = openDatasetProfiles({
    db: database.db,
    pool: database.pool,
    figureView: service.figures,
    listed: service.listed,
    profiledDatasets: service.portalDatasets,
    use: service.useForPortal,
    entityChanges,
    limits: allLimits,
    log,
    startDelayMs: 600_000,
  });
  serve(profiles);
  const usage = new DatasetUsage(database.db);
  serve(openSearch({ datasets: service, limits: allLimits, onSearch: (dataset) => usage.count(dataset) }));
  serve(
    openDatasetFacts({
      listed: service.listed,
      requireReadable: service.schema,
      profilesOf: profiles.profilesOf,
      changesOf: profiles.changesOf,
      topValuesOf: profiles.topValuesOf,
      groupsHolding: openDatasetGroups({ db: database.db, find: service.find }).groupsHolding,
      canReadFileset: ({ roles, reach }, id) =>
        Promise.resolve(reachesFileset(reach, id) && (id === "open" || (id === "insiders" && roles.includes("insider")))),
      usage,
    }),
  );
  return {
    app,
    serve,
    bench,
    entities,
    service,
    profiles,
    usage,
    database,
    call: async <Body>(
      roles: readonly string[] | CallerState | "nobody",
      method: "GET" | "POST",
      path: string,
      body?: unknown,
      accept?: string,
    ): Promise<DatasetResponse<Body>> => {
      const token = roles === "nobody" ? undefined : Buffer.from(JSON.stringify(roles)).toString("base64url");
      const response = await app.inject({
        method,
        url: path,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...(accept === undefined ? {} : { accept }),
        },
        ...(body === undefined ? {} : { payload: typeof body === "string" ? body : JSON.stringify(body) }),
      });
      const isJson = String(response.headers["content-type"]).startsWith("application/json");
      const { statusCode: status, body: text, rawPayload: bytes } = response;
      return {
        status,
        body: JSON.parse(isJson ? text : "null") as Body,
        text,
        bytes,
        contentType: String(response.headers["content-type"]),
      };
    },
    close: async () => {
      await app.close();
      await profiles.close?.();
      await bench.close();
      await database.drop();
    },
  };
}

/** A plain dataset: advanced filtering, every feature, no time column, no map. */
export function buildDataset(overrides: Partial<InternalDataset> = {}): InternalDataset {
  return {
    id: "rows",
    category: "Tests",
    description: "Rows to test with.",
    roles: [],
    source: { kind: "files", glob: "rows.parquet", format: "parquet" },
    schema: { columns: [{ name: "id", type: "integer", description: "Counts up.", combined: null }] },
    temporalField: null,
    locationField: null,
    orderBy: null,
    features: ["SAMPLE", "PAGINATION", "COUNT"],
    filterSupport: buildFilterSupport(),
    mapSupport: null,
    linkedDatasets: [],
    faMapIcon: null,
    titleField: null,
    subtitleField: null,
    ...overrides,
  };
}

/** A column without a description. */
export const buildColumn = (name: string, type: Column["type"], overrides: Partial<Column> = {}): Column => ({
  name,
  type,
  description: "",
  combined: null,
  ...overrides,
});

/** An empty text filter on the column `name`. */
export const buildFilter = (name: string, overrides: Partial<FieldFilter> = {}): FieldFilter => ({
  id: name,
  name,
  display: name,
  description: "",
  required: false,
  type: "STRING",
  value: "",
  operator: "=",
  preFilled: false,
  ...overrides,
});

export const buildFilterSupport = (overrides: Partial<InternalDataset["filterSupport"]> = {}): InternalDataset["filterSupport"] =>
  filterSupport.parse({
    supportsTimeRange: false,
    supportsGeospatial: false,
    supportsAdvancedFiltering: true,
    requiredOrFields: null,
    staticFilters: [],
    preFilledFilters: [],
    additionalFilters: [],
    ...overrides,
  });

export const addDataset = ({ entities }: Pick<DatasetApp, "entities">, overrides: Partial<InternalDataset> = {}, enabled = true) =>
  entities.create(internalDatasets, buildDataset(overrides), { enabled });
