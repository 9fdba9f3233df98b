import { type Kysely, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import { CallRate, type SharedCount } from "./call-rate.ts";

declare module "#database/schema.ts" {
  interface Database {
    call_counts: { rate: string; key: string; started_at: Date; calls: number; previous_calls: number; settled_at: Date };
  }
}

interface SettledRow extends SharedCount {
  readonly rate: string;
  readonly key: string;
}

interface SharedRate {
  readonly rate: CallRate;
  /** Calls of each key since the last settlement. */
  unsettled: Map<string, number>;
}

/** How often gateways exchange their counts: a caller can exceed a limit by the calls of this time. */
export const settleIntervalMs = 1_000;
/** A gateway that has counted no call for so long does not need the counts of the others. */
const idleMs = 5_000;
/** No count is read later. */
const countedMs = 120_000;

/**
 * Rates that all gateways count together. Each gateway admits calls by what it knows, and exchanges its counts with the others
 * in the background, so that no call waits for the database. Decision 0540.
 */
export class CallRates {
  readonly #db: Kysely<Database>;
  readonly #rates = new Map<string, SharedRate>();
  #settling: Promise<void> | undefined;
  #lastCallMs = performance.now();
  /** When the last exchange began. */
  #exchangedMs = -Infinity;

  constructor(db: Kysely<Database>) {
    this.#db = db;
  }

  /** A new rate. All gateways count keys under the same name together. */
  rate(name: string, perMinute: number): CallRate {
    const shared: SharedRate = {
      rate: new CallRate(perMinute, {
        onCounted: (key) => void shared.unsettled.set(key, (shared.unsettled.get(key) ?? 0) + 1),
      }),
      unsettled: new Map(),
    };
    this.#rates.set(name, shared);
    return shared.rate;
  }

  /**
   * Adds the calls since the last settlement to the shared counts, and takes over the sums. If the database is away, these calls
   * remain counted at this gateway only.
   */
  settle(): Promise<void> {
    this.#settling ??= this.#exchange().finally(() => {
      this.#settling = undefined;
    });
    return this.#settling;
  }

  /** Deletes counts that no longer matter. */
  async sweep(): Promise<void> {
    // Skips the rows that a settlement holds, because the two lock rows in different orders.
    await sql`
      delete from call_counts where (rate, key) in (
        select rate, key from call_counts where started_at < now() - interval '2 minutes' for update skip locked
      )`.execute(this.#db);
  }

  async #exchange(): Promise<void> {
    const counts = [...this.#rates].flatMap(([name, shared]) => {
      const taken = [...shared.unsettled].map(([key, calls]) => ({ name, key, calls }));
      shared.unsettled = new Map();
      return taken;
    });
    const now = performance.now();
    if (counts.length > 0) this.#lastCallMs = now;
    else if (now - this.#lastCallMs > idleMs) return;
    const rows = await this.#share(counts, Math.min(countedMs, now - this.#exchangedMs + 2 * settleIntervalMs));
    this.#exchangedMs = now;
    for (const { rate: name, key, ...count } of rows) {
      const shared = this.#rates.get(name);
      shared?.rate.adopt(key, count, shared.unsettled.get(key) ?? 0);
    }
  }

  /**
   * Adds counts, and returns those that any gateway has changed within `changedMs`; most of them are read more than once, so that
   * none is missed.
   */
  async #share(counts: readonly { name: string; key: string; calls: number }[], changedMs: number): Promise<SettledRow[]> {
    const { rows } = await sql<SettledRow>`
      with added as (
        insert into call_counts as known (rate, key, started_at, calls, previous_calls)
        select rate, key, now(), calls, 0
        from unnest(
          ${counts.map(({ name }) => name)}::text[], ${counts.map(({ key }) => key)}::text[], ${counts.map(({ calls }) => calls)}::integer[]
        ) as counted (rate, key, calls)
        -- The same order in every gateway, so that no two wait for each other.
        order by rate, key
        on conflict (rate, key) do update set
          started_at = case
            when known.started_at > now() - interval '1 minute' then known.started_at
            when known.started_at > now() - interval '2 minutes' then known.started_at + interval '1 minute'
            else now()
          end,
          calls = case when known.started_at > now() - interval '1 minute' then known.calls else 0 end + excluded.calls,
          previous_calls = case
            when known.started_at > now() - interval '1 minute' then known.previous_calls
            when known.started_at > now() - interval '2 minutes' then known.calls
            else 0
          end,
          settled_at = now()
        returning rate, key, calls, previous_calls, started_at
      ), changed as (
        select * from added
        union all
        -- The counts before this statement.
        select rate, key, calls, previous_calls, started_at from call_counts known
        where settled_at > now() - make_interval(secs => ${changedMs / 1_000}) and started_at > now() - interval '2 minutes'
          and not exists (select from added where added.rate = known.rate and added.key = known.key)
      )
      select rate, key, calls, previous_calls as "previousCalls",
        greatest(0, extract(epoch from now() - started_at) * 1000)::float8 as "ageMs"
      from changed`.execute(this.#db);
    return rows;
  }
}
