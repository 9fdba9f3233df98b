import { assistantUseDays, type AssistantUse } from "@fairway/contract/assistants";
import { type Kysely, sql } from "kysely";
import type { Database } from "#database/schema.ts";

declare module "#database/schema.ts" {
  interface Database {
    assistant_uses: {
      api_key_id: string;
      tool: string;
      /** In UTC. */
      day: string;
      /** PostgreSQL's bigint, which the driver returns as text. */
      calls: string;
      refused: string;
    };
  }
}

/** Counts a use of a tool. A key that was deleted meanwhile counts nothing. */
export async function recordUse(
  db: Kysely<Database>,
  apiKeyId: string,
  tool: string,
  isRefused: boolean,
  nowMs = Date.now(),
): Promise<void> {
  await sql`
    insert into assistant_uses (api_key_id, tool, day, calls, refused)
    select id, ${tool}, ${dayOf(nowMs)}::date, 1, ${isRefused ? 1 : 0} from api_keys where id = ${apiKeyId}
    on conflict (api_key_id, tool, day) do update
    set calls = assistant_uses.calls + 1, refused = assistant_uses.refused + excluded.refused`.execute(db);
}

interface Row {
  readonly id: string;
  readonly name: string;
  readonly owner: string;
  readonly tool: string;
  readonly calls: string;
  readonly refused: string;
  readonly last_day: string;
}

export async function usesByKey(db: Kysely<Database>, nowMs = Date.now()): Promise<AssistantUse[]> {
  const { rows } = await sql<Row>`
    select k.id, k.name, u.username as owner, a.tool, sum(a.calls) as calls, sum(a.refused) as refused, max(a.day)::text as last_day
    from assistant_uses a join api_keys k on k.id = a.api_key_id join users u on u.id = k.user_id
    where a.day > ${dayOf(nowMs - assistantUseDays * 86_400_000)}::date
    group by k.id, k.name, u.username, a.tool
    order by sum(a.calls) desc, a.tool`.execute(db);
  const keys = new Map<string, AssistantUse>();
  for (const { id, name, owner, tool, calls, refused, last_day: day } of rows) {
    const use = keys.get(id) ?? { apiKeyId: id, apiKeyName: name, owner, tools: [], lastDay: day };
    keys.set(id, { ...use, lastDay: day > use.lastDay ? day : use.lastDay });
    use.tools.push({ name: tool, calls: Number(calls), refused: Number(refused) });
  }
  const total = ({ tools }: AssistantUse) => tools.reduce((sum, { calls }) => sum + calls, 0);
  return [...keys.values()].toSorted((one, other) => total(other) - total(one));
}

export async function removeOldUses(db: Kysely<Database>, nowMs = Date.now()): Promise<void> {
  await sql`delete from assistant_uses where day <= ${dayOf(nowMs - assistantUseDays * 86_400_000)}::date`.execute(db);
}

const dayOf = (epochMs: number): string => new Date(epochMs).toISOString().slice(0, 10);
