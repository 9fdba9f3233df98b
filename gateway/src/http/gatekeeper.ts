import { passesRole } from "@fairway/contract/access";
import { apiKeyHeader, apiKeyPrefix } from "@fairway/contract/api-keys";
import type { Access, RouteShape } from "@fairway/contract/route";
import type { FastifyRequest } from "fastify";
import { isDirectLoopback } from "./direct-caller.ts";
import type { SignedInUser } from "./signed-in-user.ts";
import { Refusal } from "./refusal.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Set before the handler runs; undefined on public routes. */
    signedIn: SignedInUser | undefined;
    /** The caller as soon as known, even if the call is then refused. */
    caller: Pick<SignedInUser, "id" | "username" | "reach"> | undefined;
    /** The subject of the call, for the audit log. */
    auditNote: string | undefined;
  }
}

/** Resolves a bearer token to its user with the current state from the database. Decision 0021. */
export interface TokenReader {
  /** The user of a valid access token; undefined for any other text. Synchronous if cached, because every call uses it. */
  readAccessToken(token: string): SignedInUser | undefined | Promise<SignedInUser | undefined>;
  /** The user of an unused token for this step; undefined for any other text. */
  readStepToken(step: SignInStep, token: string): Promise<SignedInUser | undefined>;
}

/** Sign-in steps with separate tokens. */
export type SignInStep = "password-reset" | "second-factor";

/** Resolves an API key to its owner and its reach. */
export interface ApiKeyReader {
  /** Undefined unless the text is a valid key of a user who may sign in. Refuses with `too-many-requests`. */
  readApiKey(value: string): SignedInUser | undefined | Promise<SignedInUser | undefined>;
}

/** Limits the call rate of an account, including its API keys. */
export interface AccountRate {
  /** Counts a call. Refuses with `too-many-requests`. */
  count(userId: string, subject: string): void;
}

const adminRole = "admin";

const noApiKeys: ApiKeyReader = { readApiKey: () => undefined };
const noRate: AccountRate = { count: () => undefined };

/** Enforces the `access` of every route. */
export class Gatekeeper {
  readonly #tokens: TokenReader;
  readonly #apiKeys: ApiKeyReader;
  readonly #rate: AccountRate;
  constructor(tokens: TokenReader, apiKeys = noApiKeys, rate = noRate) {
    this.#tokens = tokens;
    this.#apiKeys = apiKeys;
    this.#rate = rate;
  }

  /** Returns the calling user; undefined if the route needs none. Refuses with 401, 403 or 429. */
  async admit(
    request: FastifyRequest,
    { access, cookie, apiKey }: Pick<RouteShape, "access" | "cookie" | "apiKey">,
  ): Promise<SignedInUser | undefined> {
    if (access === "public") return undefined;
    if (access === "operator" && isDirectLoopback(request)) return undefined;
    const bearer = bearerToken(request);
    const key = apiKeyOf(request, bearer);
    const token = bearer ?? (cookie === true ? cookieToken(request) : undefined);
    const user = key !== undefined ? await this.#ownerOf(request, key, apiKey === true) : token && (await this.#userOf(token, access));
    if (!user) {
      throw new Refusal(
        "not-signed-in",
        key === undefined
          ? "Sign in to use this: the call has no valid access token."
          : "The API key is not valid: it is mistyped, deleted or expired, or its owner cannot sign in.",
      );
    }
    request.caller = user;
    this.#rate.count(user.id, "Your account");
    const role = access === "operator" ? adminRole : typeof access === "object" ? access.role : undefined;
    if (role !== undefined && !passesRole(user.roles, role)) throw new Refusal("forbidden", `This needs the role '${role}'.`);
    if (role === adminRole && user.lacksSecondFactor) {
      throw new Refusal(
        "second-factor-required",
        "Administrators of this portal sign in with a second factor. Set one up under Sign-in methods, or sign in again with yours.",
      );
    }
    return user;
  }

  async #ownerOf(request: FastifyRequest, key: string, acceptsApiKeys: boolean): Promise<SignedInUser | undefined> {
    const owner = await this.#apiKeys.readApiKey(key);
    request.caller = owner;
    if (owner && !acceptsApiKeys) throw new Refusal("forbidden", "API keys cannot be used for this call.");
    return owner;
  }

  async #userOf(token: string, access: Access): Promise<SignedInUser | undefined> {
    if (access === "second-factor-token") return this.#tokens.readStepToken("second-factor", token);
    const user = await this.#tokens.readAccessToken(token);
    return user ?? (access === "reset-token" ? await this.#tokens.readStepToken("password-reset", token) : undefined);
  }
}

function bearerToken(request: FastifyRequest): string | undefined {
  const header = request.headers.authorization;
  const match = header === undefined ? null : /^Bearer ([\w.~+/=-]+)$/i.exec(header);
  return match?.[1];
}

/** Of a call that the gatekeeper has admitted: when its access token expires, in epoch milliseconds; 0 if it carries none. */
export function tokenEndMs(request: FastifyRequest): number {
  const payload = bearerToken(request)?.split(".")[1];
  if (payload === undefined) return 0;
  const { exp = 0 } = JSON.parse(Buffer.from(payload, "base64url").toString()) as { exp?: number };
  return exp * 1_000;
}

/** A call with an API key is authorized by that key only, even if it is invalid. */
function apiKeyOf(request: FastifyRequest, bearer: string | undefined): string | undefined {
  if (bearer !== undefined) return bearer.startsWith(apiKeyPrefix) ? bearer : undefined;
  const header = request.headers[apiKeyHeader];
  return Array.isArray(header) ? header.join() : header;
}

/** The cookie for downloads. Other sites cannot send it (SameSite=Strict), and it authorizes reads only. */
function cookieToken(request: FastifyRequest): string | undefined {
  if (request.method !== "GET" && request.method !== "HEAD") return undefined;
  return /(?:^|;\s*)JWT=([\w.-]+)(?:;|$)/.exec(request.headers.cookie ?? "")?.[1];
}
