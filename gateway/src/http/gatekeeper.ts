import { passesRole } from "@fairway/contract/access";
import type { Access, RouteShape } from "@fairway/contract/route";
import type { FastifyRequest } from "fastify";
import type { SignedInUser } from "./handlers.ts";
import { Refusal } from "./refusal.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Set before the handler runs; undefined on public routes. */
    signedIn: SignedInUser | undefined;
  }
}

/** Turns a bearer token into the user behind it, as the database knows them now. */
export interface TokenReader {
  /** The user of a valid access token; undefined for any other text. No promise where the answer is remembered: every call asks. */
  readAccessToken(token: string): SignedInUser | undefined | Promise<SignedInUser | undefined>;
  /** The user of an unspent reset token; undefined for any other text. */
  readResetToken(token: string): Promise<SignedInUser | undefined>;
}

/** Decides who may call. The one place where a route's `access` is enforced. */
export class Gatekeeper {
  readonly #tokens: TokenReader;
  constructor(tokens: TokenReader) {
    this.#tokens = tokens;
  }

  /** The user who calls, undefined where the route needs none. Refuses with 401 or 403. */
  async admit(request: FastifyRequest, { access, cookie }: Pick<RouteShape, "access" | "cookie">): Promise<SignedInUser | undefined> {
    if (access === "public") return undefined;
    if (access === "operator" && isDirectLoopback(request)) return undefined;
    const token = bearerToken(request) ?? (cookie === true ? cookieToken(request) : undefined);
    const user = token === undefined ? undefined : await this.#userOf(token, access);
    if (!user) throw new Refusal("not-signed-in", "Sign in to use this: the call carries no valid access token.");
    const role = access === "operator" ? "admin" : typeof access === "object" ? access.role : undefined;
    if (role !== undefined && !passesRole(user.roles, role)) throw new Refusal("forbidden", `This needs the role '${role}'.`);
    return user;
  }

  async #userOf(token: string, access: Access): Promise<SignedInUser | undefined> {
    const user = await this.#tokens.readAccessToken(token);
    return user ?? (access === "reset-token" ? await this.#tokens.readResetToken(token) : undefined);
  }
}

function bearerToken(request: FastifyRequest): string | undefined {
  const header = request.headers.authorization;
  const match = header === undefined ? null : /^Bearer ([\w.~+/=-]+)$/i.exec(header);
  return match?.[1];
}

/** The cookie of a download. SameSite=Strict keeps other sites from sending it, and it opens nothing that changes anything. */
function cookieToken(request: FastifyRequest): string | undefined {
  if (request.method !== "GET" && request.method !== "HEAD") return undefined;
  return /(?:^|;\s*)JWT=([\w.-]+)(?:;|$)/.exec(request.headers.cookie ?? "")?.[1];
}

const forwardingHeaders = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"] as const;

/** Whether the caller sits on this machine and came directly: the socket's address counts, and a forwarding header spoils it. */
export function isDirectLoopback(request: FastifyRequest): boolean {
  const address = request.socket.remoteAddress ?? "";
  const loopback = address === "::1" || /^(::ffff:)?127\./.test(address);
  return loopback && forwardingHeaders.every((header) => request.headers[header] === undefined);
}
