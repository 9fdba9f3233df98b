import { passesRole } from "@fairway/contract/access";
import { apiKeyHeader, apiKeyPrefix } from "@fairway/contract/api-keys";
import type { Access, RouteShape } from "@fairway/contract/route";
import type { FastifyRequest } from "fastify";
import { isDirectLoopback } from "./direct-caller.ts";
import type { SignedInUser } from "./handlers.ts";
import { Refusal } from "./refusal.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Set before the handler runs; undefined on public routes. */
    signedIn: SignedInUser | undefined;
    /** Who calls, as soon as that is known, whether or not the route is theirs to call. */
    caller: Pick<SignedInUser, "id" | "username" | "reach"> | undefined;
  }
}

/** Turns a bearer token into the user behind it, as the database knows them now. Decision 0021. */
export interface TokenReader {
  /** The user of a valid access token; undefined for any other text. No promise where the answer is remembered: every call asks. */
  readAccessToken(token: string): SignedInUser | undefined | Promise<SignedInUser | undefined>;
  /** The user of an unspent token of this step; undefined for any other text. */
  readStepToken(step: SignInStep, token: string): Promise<SignedInUser | undefined>;
}

/** Steps of signing in that have a token of their own. */
export type SignInStep = "password-reset" | "second-factor";

/** Turns an API key into its owner, with what the key reaches. */
export interface ApiKeyReader {
  /** Undefined for a text that is no living key of a user who may sign in. Refuses with `too-many-requests`. */
  readApiKey(value: string): SignedInUser | undefined | Promise<SignedInUser | undefined>;
}

/** Bounds how often one account may call, by itself and by its API keys together. */
export interface AccountRate {
  /** Counts a call. Refuses with `too-many-requests`. */
  count(userId: string, subject: string): void;
}

const adminRole = "admin";

const noApiKeys: ApiKeyReader = { readApiKey: () => undefined };
const noRate: AccountRate = { count: () => undefined };

/** Decides who may call. The one place where a route's `access` is enforced. */
export class Gatekeeper {
  readonly #tokens: TokenReader;
  readonly #apiKeys: ApiKeyReader;
  readonly #rate: AccountRate;
  constructor(tokens: TokenReader, apiKeys = noApiKeys, rate = noRate) {
    this.#tokens = tokens;
    this.#apiKeys = apiKeys;
    this.#rate = rate;
  }

  /** The user who calls, undefined where the route needs none. Refuses with 401, 403 or 429. */
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
    if (!user) throw new Refusal("not-signed-in", "Sign in to use this: the call carries no valid access token.");
    request.caller = user;
    this.#rate.count(user.id, "Your account");
    const role = access === "operator" ? adminRole : typeof access === "object" ? access.role : undefined;
    if (role !== undefined && !passesRole(user.roles, role)) throw new Refusal("forbidden", `This needs the role '${role}'.`);
    if (role === adminRole && user.lacksSecondFactor) {
      throw new Refusal(
        "second-factor-required",
        "Administrators of this portal sign in with a second factor. Set one up under Sign-in methods, or log in again with yours.",
      );
    }
    return user;
  }

  async #ownerOf(request: FastifyRequest, key: string, reachable: boolean): Promise<SignedInUser | undefined> {
    const owner = await this.#apiKeys.readApiKey(key);
    request.caller = owner;
    if (owner && !reachable) throw new Refusal("forbidden", "An API key does not open this.");
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

/** A call that carries a key is the key's alone: where the key is not valid, nothing else opens it. */
function apiKeyOf(request: FastifyRequest, bearer: string | undefined): string | undefined {
  if (bearer !== undefined) return bearer.startsWith(apiKeyPrefix) ? bearer : undefined;
  const header = request.headers[apiKeyHeader];
  return Array.isArray(header) ? header.join() : header;
}

/** The cookie of a download. SameSite=Strict keeps other sites from sending it, and it opens nothing that changes anything. */
function cookieToken(request: FastifyRequest): string | undefined {
  if (request.method !== "GET" && request.method !== "HEAD") return undefined;
  return /(?:^|;\s*)JWT=([\w.-]+)(?:;|$)/.exec(request.headers.cookie ?? "")?.[1];
}
