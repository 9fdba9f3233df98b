import { errorStatus } from "@fairway/contract/errors";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { CallFacts } from "./audited-call.ts";
import type { Recorder } from "./recorder.ts";

declare module "fastify" {
  interface FastifyRequest {
    arrivedMs: number;
  }
}

interface Caller {
  readonly id: string;
  readonly username: string;
}

export interface ObserverParts {
  readonly recorder: Pick<Recorder, "record" | "recordNow">;
  /** Who has this username, as sign-ins compare it. */
  readonly findUser: (username: string) => Promise<Caller | undefined>;
}

/**
 * Records every call of a user who is known, whether or not the user may do it, and every call that the contract wants
 * audited. To be installed before the routes.
 */
export function observeCalls(app: FastifyInstance, { recorder, findUser }: ObserverParts): void {
  app.decorateRequest("arrivedMs", 0);
  app.decorateRequest("caller", undefined);
  app.addHook("onRequest", (request, _reply, done) => {
    request.arrivedMs = Date.now();
    done();
  });
  const over = (request: FastifyRequest, responseCode: number) => {
    const { caller } = request;
    if (caller === undefined || request.routeOptions.config.contract?.audit !== undefined) return;
    // Who leaves early is recorded then, and not once more when the answer finds nobody.
    request.caller = undefined;
    recorder.record(factsOf(request, responseCode, caller));
  };
  app.addHook("onResponse", (request, reply, done) => {
    over(request, reply.statusCode);
    done();
  });
  app.addHook("onRequestAbort", (request, done) => {
    over(request, errorStatus.abandoned);
    done();
  });
  app.addHook("onRoute", (route) => {
    const audit = route.config?.contract?.audit;
    if (audit === undefined) return;
    route.onSend = async (request, reply, payload) => {
      const caller = request.caller ?? (audit === "sign-in" ? await whoTried(request) : undefined);
      await recorder.recordNow(factsOf(request, reply.statusCode, caller));
      return payload;
    };
  });

  /** Only the name of someone who exists: who mistypes may have typed a password. */
  async function whoTried(request: FastifyRequest): Promise<Caller | undefined> {
    const username = (request.body as { username?: unknown } | null | undefined)?.username;
    if (typeof username !== "string" || username.length > 1_000 || username.includes("\0")) return undefined;
    // An attempt is recorded without its name rather than not at all.
    return findUser(username).catch(() => undefined);
  }
}

function factsOf(request: FastifyRequest, responseCode: number, caller: Caller | undefined): CallFacts {
  return {
    timeMs: request.arrivedMs,
    durationMs: Date.now() - request.arrivedMs,
    responseCode,
    method: request.method,
    url: request.url,
    shape: request.routeOptions.config.contract,
    userId: caller?.id ?? null,
    username: caller?.username ?? "",
    ip: request.ip,
    userAgent: request.headers["user-agent"],
  };
}
