import { errorStatus } from "@fairway/contract/errors";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { addressKey } from "#identity/client-address.ts";
import { CallRate } from "#identity/call-rate.ts";
import { deniedRows } from "#turns/caller.ts";
import type { CallFacts } from "./audited-call.ts";
import type { Recorder } from "./recorder.ts";

declare module "fastify" {
  interface FastifyRequest {
    receivedMs: number;
    /** The client's address; `request.ip` is undefined after the client has disconnected. */
    clientIp: string;
  }
}

type Caller = Pick<SignedInUser, "id" | "username" | "reach">;

export interface ObserverParts {
  readonly recorder: Pick<Recorder, "record" | "recordNow">;
  /** Finds a user by username, compared as for sign-ins. */
  readonly findUser: (username: string) => Promise<Caller | undefined>;
}

/** Status codes of sign-ins that were rejected before checking credentials. Anyone can cause any number of them. */
const uncheckedStatuses: ReadonlySet<number> = new Set([400, 403, 404, 413, 415, 429]);
/** Maximum number of those recorded per minute and address. */
const uncheckedPerMinute = 120;
/** More than the sanitizer of user agents reads. */
const maxUserAgentCharacters = 900;

/**
 * Records every call of a known user, whether allowed or not, and every call to routes that the contract marks as audited.
 * Must be installed before the routes.
 */
export function observeCalls(app: FastifyInstance, { recorder, findUser }: ObserverParts): void {
  const uncheckedRate = new CallRate(uncheckedPerMinute);
  app.decorateRequest("receivedMs", 0);
  app.decorateRequest("clientIp", "");
  app.decorateRequest("caller", undefined);
  app.decorateRequest("auditNote", undefined);
  app.addHook("onRequest", (request, _reply, done) => {
    request.receivedMs = Date.now();
    const ip: string | undefined = request.ip;
    request.clientIp = ip ?? "";
    done();
  });
  const recordOutcome = (request: FastifyRequest, responseCode: number) => {
    const { caller } = request;
    if (caller === undefined || request.routeOptions.config.contract?.audit !== undefined) return;
    // An aborted call is recorded on abort, not again when its response is sent.
    request.caller = undefined;
    recorder.record(factsOf(request, responseCode, caller));
  };
  app.addHook("onResponse", (request, reply, done) => {
    recordOutcome(request, reply.statusCode);
    done();
  });
  app.addHook("onRequestAbort", (request, done) => {
    // Leaving is how a call without an end of its own ends.
    recordOutcome(request, request.routeOptions.config.contract?.endless ? 200 : errorStatus.abandoned);
    done();
  });
  app.addHook("onRoute", (route) => {
    const audit = route.config?.contract?.audit;
    if (audit === undefined) return;
    route.onSend = async (request, reply, payload) => {
      const { statusCode } = reply;
      if (request.caller === undefined && !isWorthRecording(audit, statusCode, request.clientIp)) return payload;
      // Do not wait for storage here: the database may be what is unavailable.
      if (statusCode === errorStatus["not-ready"]) {
        recorder.record(factsOf(request, statusCode, request.caller), true);
        return payload;
      }
      // Throttled calls do not look up the user they name.
      const caller = request.caller ?? (statusCode === errorStatus["too-many-requests"] ? undefined : await findAttemptedUser(request));
      await recorder.recordNow(factsOf(request, statusCode, caller));
      return payload;
    };
  });

  /** For unknown callers: sign-ins whose credentials were checked, a limited number of others, and no calls refused by the gatekeeper. */
  function isWorthRecording(audit: "sign-in" | "security", statusCode: number, ip: string): boolean {
    if (audit === "security") return false;
    return !uncheckedStatuses.has(statusCode) || uncheckedRate.tryCount(addressKey(ip)) === undefined;
  }

  /** The user a sign-in names, if there is one: an unknown username may be a mistyped password and is not recorded. */
  async function findAttemptedUser(request: FastifyRequest): Promise<Caller | undefined> {
    const username = (request.body as { username?: unknown } | null | undefined)?.username;
    if (typeof username !== "string" || username.length > 1_000 || username.includes("\0")) return undefined;
    // If the lookup fails, the attempt is recorded without a username.
    return findUser(username).catch(() => undefined);
  }
}

/** An answer without rows is not a refusal. Others that were given in spite of a denial, such as a list, are of no interest. */
function deniedTo({ turnOwner }: FastifyRequest, responseCode: number): string[] {
  const all = [...(turnOwner?.denied ?? [])];
  return responseCode >= 400 ? all : all.filter((what) => what === deniedRows);
}

function factsOf(request: FastifyRequest, responseCode: number, caller: Caller | undefined): CallFacts {
  return {
    timeMs: request.receivedMs,
    durationMs: Date.now() - request.receivedMs,
    responseCode,
    method: request.method,
    // Bounds memory while calls are pending. Paths stay complete, as their hidden segments are counted from the end.
    url: request.url.split(/[?#]/, 1)[0] ?? "",
    shape: request.routeOptions.config.contract,
    userId: caller?.id ?? null,
    username: caller?.username ?? "",
    apiKey: caller?.reach?.apiKeyName ?? null,
    note: request.auditNote,
    denied: deniedTo(request, responseCode),
    ip: request.clientIp,
    userAgent: request.headers["user-agent"]?.slice(0, maxUserAgentCharacters),
  };
}
