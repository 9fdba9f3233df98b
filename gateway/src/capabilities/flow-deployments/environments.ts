import type { EntityBody } from "@fairway/contract/administration";
import { pemCertificates } from "@fairway/contract/entity-schemas";
import type { DeployEnvironment, FlowCredentials } from "@fairway/contract/flow-deployments";
import { compareNames } from "@fairway/contract/name-order";
import { type Kysely, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import { storedTypes } from "#entities/entity-types.ts";
import type { EntityStore } from "#entities/store.ts";
import { Refusal } from "#http/refusal.ts";
import { type NifiClient, type NifiCredentials, nifiClient } from "#nifi/client.ts";
import { type NifiCapabilities, readCapabilities } from "#nifi/read-nifi.ts";
import type { AddressPolicy } from "#outbound/address-policy.ts";

export type Environment = EntityBody<"flowEnvironments">;

/** Facts about the NiFi of an environment when it was last seen, without values of parameters. */
export interface EnvironmentFacts extends NifiCapabilities {
  readonly seenMs: number;
}

interface Parts {
  readonly db: Kysely<Database>;
  readonly entities: Pick<EntityStore, "list">;
  readonly addresses: AddressPolicy;
}

/** Enabled flow environments, and what their NiFi last showed. */
export class Environments {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** By display name. */
  async list(): Promise<DeployEnvironment[]> {
    const [environments, rows] = await Promise.all([
      this.#enabled(),
      this.#parts.db
        .selectFrom("flow_environment_facts")
        .select(["environment_id", "base_url", "seen_at"])
        .select(sql<string>`facts ->> 'version'`.as("version"))
        .execute(),
    ]);
    return environments
      .map(({ name: id, displayName, baseUrl }) => {
        const seen = rows.find((row) => row.environment_id === id && row.base_url === baseUrl);
        return { id, displayName, baseUrl, seen: seen ? { version: seen.version, seenMs: seen.seen_at.getTime() } : null };
      })
      .toSorted((a, b) => compareNames(a.displayName, b.displayName));
  }

  /** Refuses with not-found, and with conflict if its address is not the expected one. */
  async require(id: string, expectedBaseUrl?: string): Promise<Environment> {
    const environment = (await this.#enabled()).find(({ name }) => name === id);
    if (!environment) throw new Refusal("not-found", `There is no flow environment '${id.slice(0, 100)}', or it is disabled.`);
    const { displayName, baseUrl } = environment;
    if (expectedBaseUrl !== undefined && expectedBaseUrl !== baseUrl) {
      throw new Refusal(
        "conflict",
        `The address of ${displayName} is now ${baseUrl}. Nothing was sent there. Try again if that address is right.`,
        { path: "expectedBaseUrl", current: { baseUrl } },
      );
    }
    return environment;
  }

  /** Opens no connection yet. Throws NifiFailed. */
  client({ baseUrl, connectTimeoutMs, readTimeoutMs, ca }: Environment, credentials: FlowCredentials | undefined): NifiClient {
    const certificates = pemCertificates(ca) ?? [];
    return nifiClient(
      {
        baseUrl,
        connectTimeoutMs,
        readTimeoutMs,
        ...(certificates.length > 0 && { ca: certificates.join("") }),
        credentials: nifiCredentials(credentials),
      },
      this.#parts.addresses,
    );
  }

  /** Undefined if its NiFi, at its present address, was never seen. */
  async facts(id: string): Promise<EnvironmentFacts | undefined> {
    const environment = (await this.#enabled()).find(({ name }) => name === id);
    if (!environment) return undefined;
    const row = await this.#parts.db
      .selectFrom("flow_environment_facts")
      .select(["facts", "seen_at"])
      .where("environment_id", "=", id)
      .where("base_url", "=", environment.baseUrl)
      .executeTakeFirst();
    return row && { ...(row.facts as NifiCapabilities), seenMs: row.seen_at.getTime() };
  }

  async saveFacts({ name: id, baseUrl }: Environment, client: NifiClient): Promise<void> {
    const { db } = this.#parts;
    const facts = JSON.stringify(await readCapabilities(client));
    const seen = { base_url: baseUrl, facts, seen_at: sql<Date>`clock_timestamp()` };
    await db
      .insertInto("flow_environment_facts")
      .values({ environment_id: id, ...seen })
      .onConflict((conflict) => conflict.column("environment_id").doUpdateSet(seen))
      .execute();
    await sql`
      delete from flow_environment_facts as seen
      where not exists (select from entities where type = ${storedTypes.flowEnvironments.name} and id = seen.environment_id)`.execute(db);
  }

  async #enabled(): Promise<Environment[]> {
    const environments = await this.#parts.entities.list(storedTypes.flowEnvironments);
    return environments.filter(({ enabled }) => enabled).map(({ body }) => body);
  }
}

function nifiCredentials({ passwordCredentials, tokenCredentials }: FlowCredentials = {}): NifiCredentials {
  if (passwordCredentials) return { kind: "password", ...passwordCredentials };
  if (tokenCredentials) return { kind: "token", ...tokenCredentials };
  return { kind: "none" };
}
