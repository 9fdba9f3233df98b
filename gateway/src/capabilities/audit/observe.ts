import { errorStatus } from "@fairway/contract/errors";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { SignedInUser } from "#http/handlers.ts";
import { addressKey } from "#identity/client-address.ts";
import { CallRate } from "#identity/call-rate.ts";
import type { CallFacts } from "./audited-call.ts";
import type { Recorder } from "./recorder.ts";

declare module "fastify" {
  interface FastifyRequest {
    arrivedMs: number;
    /** Address it came from; the request itself forgets it when the caller leaves. */
    cameFrom: string;
  }
}

type Caller = Pick<SignedInUser, "id" | "username" | "reach">;

export interface ObserverParts {
  readonly recorder: Pick<Recorder, "record" | "recordNow">;
  /** Who has this username, as sign-ins compare it. */
  readonly findUser: (username: string) => Promise<Caller | undefined>;
}

/** Answers of a sign-in that compared nothing: anyone can have as many of them as the network carries. */
const noAttempt: ReadonlySet<number> = new Set([400, 403, 404, 413, 415, 429]);
/** Of those, so many of one address are recorded. */
const noAttemptsPerMinute = 120;
/** What is cleaned looks at no more of it. */
const userAgentCharacters = 900;

/**
 * Records every call of a user who is known, whether or not the user may do it, and every call that the contract wants
 * audited. To be installed before the routes.
 */
export function observeCalls(app: FastifyInstance, { recorder, findUser }: ObserverParts): void {
  const noAttempts = new CallRate(noAttemptsPerMinute);
  app.decorateRequest("arrivedMs", 0);
  app.decorateRequest("cameFrom", "");
  app.decorateRequest("caller", undefined);
  app.addHook("onRequest", (request, _reply, done) => {
    request.arrivedMs = Date.now();
    const ip: string | undefined = request.ip;
    request.cameFrom = ip ?? "";
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
      const { statusCode } = reply;
      if (request.caller === undefined && !isWorthRecording(audit, statusCode, request.cameFrom)) return payload;
      // What cannot be done at the moment is not held up further: the database may be what is missing.
      if (statusCode === errorStatus["not-ready"]) {
        recorder.record(factsOf(request, statusCode, request.caller), true);
        return payload;
      }
      // A flood costs no search for whom it names.
      const caller = request.caller ?? (statusCode === errorStatus["too-many-requests"] ? undefined : await whoTried(request));
      await recorder.recordNow(factsOf(request, statusCode, caller));
      return payload;
    };
  });

  /** Of a caller nobody knows: every sign-in that was tried, some that were not, and nothing that the gatekeeper turned away. */
  function isWorthRecording(audit: "sign-in" | "security", statusCode: number, ip: string): boolean {
    if (audit === "security") return false;
    return !noAttempt.has(statusCode) || noAttempts.secondsOver(addressKey(ip)) === undefined;
  }

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
    // Calls wait in memory: a query and a long header would fill it. Paths stay whole, their hidden parts are counted from the end.
    url: request.url.split(/[?#]/, 1)[0] ?? "",
    shape: request.routeOptions.config.contract,
    userId: caller?.id ?? null,
    username: caller?.username ?? "",
    apiKey: caller?.reach?.apiKeyName ?? null,
    ip: request.cameFrom,
    userAgent: request.headers["user-agent"]?.slice(0, userAgentCharacters),
  };
}
