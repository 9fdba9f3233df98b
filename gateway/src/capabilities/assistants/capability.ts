import { apiBase } from "@fairway/contract/api";
import { assistantAdministration, assistants } from "@fairway/contract/assistants";
import type { FastifyBaseLogger } from "fastify";
import type { Kysely } from "kysely";
import { CachedRead } from "#process/cached-read.ts";
import { type Capability, implement } from "#http/capability.ts";
import type { Database } from "#database/schema.ts";
import type { CallContext, Handlers, StreamedAnswer } from "#http/handlers.ts";
import { InnerCalls } from "#http/inner-calls.ts";
import { Refusal } from "#http/refusal.ts";
import { runEvery } from "#process/run-every.ts";
import { mcpServer, tools } from "./server.ts";
import { recordUse, removeOldUses, usesByKey } from "./uses.ts";

declare module "#database/schema.ts" {
  interface Database {
    assistant_settings: { only_row: boolean; enabled: boolean };
  }
}

interface Parts {
  readonly db: Kysely<Database>;
  /** Of the portal's pages; undefined = as requested. */
  readonly publicUrl: string | undefined;
  readonly log: Pick<FastifyBaseLogger, "warn">;
}

/** Of what one tool reads from another route. */
const maxInnerBytes = 16_000_000;
const cleanUpMs = 24 * 3_600_000;

/** A server for assistants by the Model Context Protocol: an API key's reach, for reading. Decision 0608. */
export function openAssistants({ db, publicUrl, log }: Parts): Capability {
  const calls = new InnerCalls(maxInnerBytes);
  const isAllowed = async () => {
    const row = await db.selectFrom("assistant_settings").select("enabled").executeTakeFirst();
    return row?.enabled ?? true;
  };
  // Only for the calls of assistants: people see at once what they changed at another gateway.
  const allowed = new CachedRead(isAllowed);
  const server = mcpServer((error) => log.warn({ err: error }, "a message of an assistant could not be answered"));
  const warn = (error: unknown) => log.warn({ err: error }, "uses by assistants could not be counted");
  const cleanUp = runEvery(cleanUpMs, () => removeOldUses(db), warn);

  const handlers: Handlers<typeof assistants> = {
    about: async () => ({
      enabled: await isAllowed(),
      tools: tools.map(({ name, title, description }) => ({ name, title, description })),
    }),
    call: async (call) => {
      const { reach } = call.user;
      if (reach === undefined) throw new Refusal("forbidden", "Assistants call with an API key, which names what they may read.");
      if (!(await allowed.get())) throw new Refusal("forbidden", "An administrator has turned off assistants for this portal.");
      if (Array.isArray(call.body)) return batchRefused;
      const origin = publicUrl ?? call.origin;
      const { body, headers, signal, ip, log: callLog } = call;
      const response = await server.fetch(requestOf(call), body, {
        calls,
        caller: { headers: forwarded(headers), ip, signal },
        origin,
        log: callLog,
        used: (tool, outcome) => void recordUse(db, reach.apiKeyId, tool, outcome === "refused").catch(warn),
      });
      return streamed(response);
    },
  };
  const administration: Handlers<typeof assistantAdministration> = {
    uses: async () => ({ enabled: await isAllowed(), uses: await usesByKey(db) }),
    allow: async ({ body: { enabled } }) => {
      await db
        .insertInto("assistant_settings")
        .values({ only_row: true, enabled })
        .onConflict((conflict) => conflict.column("only_row").doUpdateSet({ enabled }))
        .execute();
      allowed.forget();
    },
  };
  return {
    routes: {
      assistants: implement(assistants, handlers),
      assistantAdministration: implement(assistantAdministration, administration),
    },
    install: (app) => calls.attach(app),
    close: async () => {
      await cleanUp.close();
      await server.close();
    },
  };
}

/**
 * One call is one message, so that each counts towards the limits of its key. The protocol has no batches since its version of
 * 2025-06-18, whose clients send none.
 */
const batchRefused: StreamedAnswer = {
  contentType: "application/json",
  status: 400,
  chunks: [
    JSON.stringify({
      jsonrpc: "2.0",
      id: null,
      error: { code: -32_600, message: "Batches of messages are not supported. Send one message per request." },
    }),
  ],
};

/** The message without its body, which is parsed already. */
function requestOf({ headers, origin, signal }: Pick<CallContext, "headers" | "origin" | "signal">): Request {
  const sent = new Headers();
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) sent.set(name, [value].flat().join(", "));
  sent.delete("content-length");
  return new Request(`${origin}${apiBase}${assistants.call.path}`, { method: "POST", headers: sent, signal });
}

/** Headers that make calls from inside the caller's own. */
function forwarded(headers: CallContext["headers"]): Record<string, string> {
  const names = ["authorization", "x-api-key", "host", "user-agent"];
  return Object.fromEntries(names.flatMap((name) => (headers[name] === undefined ? [] : [[name, [headers[name]].flat().join(", ")]])));
}

function streamed(response: Response): StreamedAnswer {
  const { body, status } = response;
  const contentType = response.headers.get("content-type") ?? "application/json";
  return { contentType, chunks: body ?? [], status };
}
