import { apiKeyHeader } from "@fairway/contract/api-keys";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { addressOwner, asCaller, type Caller, personOwner } from "#turns/caller.ts";
import { LoopTurns } from "#turns/loop-turns.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Owner of the turns that the call waits for: the address that it came from, then the person. */
    turnOwner: Caller | undefined;
  }
}

/** Of all calls of this process. */
const loop = new LoopTurns();

/**
 * Does all work of a call on behalf of its caller. `addressKey` is the part of an address that counts as one caller. Must be
 * installed before everything that works on calls.
 */
export function installCallers(app: FastifyInstance, addressKey: (ip: string) => string): void {
  app.decorateRequest("turnOwner", undefined);
  app.addHook("onRequest", (request, _reply, done) => {
    const caller = { owner: addressOwner(addressKey(request.ip)) };
    request.turnOwner = caller;
    // Whoever has an own token does not wait for others of the address.
    const { authorization = "", cookie = "", [apiKeyHeader]: key = "" } = request.headers;
    loop.enter([caller.owner, `${authorization} ${String(key)} ${cookie}`], () => asCaller(caller, done));
  });
  // The end of a body is an event of the connection, which knows no caller.
  app.addHook("preHandler", (request, _reply, done) => (request.turnOwner === undefined ? done() : asCaller(request.turnOwner, done)));
}

/**
 * Call it when the person is known: from here on, the call shares nothing with others of its address. Resolves when it is the
 * person's turn.
 */
export async function takeTurnsAs({ turnOwner }: FastifyRequest, userId: string): Promise<void> {
  if (turnOwner === undefined) return;
  turnOwner.owner = personOwner(userId);
  await new Promise<void>((resolve) => loop.enter([turnOwner.owner], resolve));
}
