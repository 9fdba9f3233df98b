import type { Configuration } from "@fairway/contract/entity-schemas";
import type { AddressPolicy } from "#outbound/address-policy.ts";
import type { EngineDefinition } from "#query/engines.ts";
import type { QueryEngine } from "#query/engine.ts";
import { openStatementServer } from "./client/statement-server.ts";
import type { PrestoSignIn } from "./client/statements.ts";
import { PrestoEngine } from "./engine.ts";
import { noServer } from "./no-server.ts";
import type { PrestoOptions } from "./server.ts";

interface Parts {
  /** The enabled configuration, which administrators change while the portal runs. */
  readonly configuration: { current(): Promise<Pick<Configuration, "prestoURL" | "prestoSource"> | undefined> };
  readonly signIn: PrestoSignIn;
  readonly addresses: AddressPolicy;
  readonly exportFolder: PrestoOptions["exportFolder"];
  readonly limits: PrestoOptions["limits"];
  readonly log: PrestoOptions["log"];
}

/** Server of the enabled configuration; null if it names none. */
type NamedServer = { readonly url: string; readonly source: string } | null;

/** The engine of tables: another one is opened when the configuration names another server. */
export class ConfiguredPresto implements EngineDefinition<NamedServer> {
  readonly #parts: Parts;
  readonly #open = new Set<PrestoEngine>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Current numbers of running and waiting queries of all open engines. */
  get metrics(): { readonly running: number; readonly waiting: number } {
    const sum = (of: "running" | "waiting") => [...this.#open].reduce((total, { metrics }) => total + metrics[of], 0);
    return { running: sum("running"), waiting: sum("waiting") };
  }

  async settings(): Promise<NamedServer> {
    const { prestoURL = "", prestoSource = "" } = (await this.#parts.configuration.current()) ?? {};
    return prestoURL === "" ? null : { url: prestoURL, source: prestoSource };
  }

  open(named: NamedServer): Promise<QueryEngine> {
    if (named === null) return Promise.resolve(noServer);
    const { signIn, addresses, exportFolder, limits, log } = this.#parts;
    const server = openStatementServer({ ...named, ...signIn, addresses, log });
    const engine = new PrestoEngine({ server, exportFolder, limits, log, asUser: signIn.asUser });
    this.#open.add(engine);
    return Promise.resolve(engine);
  }

  async close(engine: QueryEngine): Promise<void> {
    if (engine instanceof PrestoEngine) this.#open.delete(engine);
    await engine.close();
  }
}
