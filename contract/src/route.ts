import type { z } from "zod";

/**
 * Who may call a route. Required on every route, so that nobody can forget to decide. Decision 0001.
 *
 * - `public`: no token needed
 * - `signed-in`: any user with a valid access token (the role check for `*`)
 * - `reset-token`: an access token, or the one-time token of a forced password update
 * - `second-factor-token`: the token of a sign-in that waits for its second factor
 * - `operator`: a loopback address without forwarding headers, or a signed-in administrator
 * - `{ role }`: a signed-in user who holds that role
 */
export type Access = "public" | "signed-in" | "reset-token" | "second-factor-token" | "operator" | { role: string };

export type Method = "GET" | "POST" | "PUT" | "DELETE";

export interface RouteShape {
  method: Method;
  /** Below the gateway's base path, with `:name` for parameters. */
  path: `/${string}`;
  access: Access;
  /** One sentence for the API reference. */
  summary: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** Fields that neither it nor the answers of the route's group name are refused; those that only answers name are dropped. */
  body?: z.ZodType;
  /** What the API reference says of a body that the handler checks by itself. */
  documentedBody?: z.ZodType;
  /** The answer's body; `z.undefined()` for an empty one. The gateway parses it, so a field it does not name cannot leave. */
  response: z.ZodType;
  /** Status of a success. Default 200, or 204 where the response is undefined. */
  status?: 200 | 201 | 202 | 204;
  /**
   * The answer is written by the route itself as a stream and is not parsed on the way out.
   * `response` then documents it and types the web's side.
   */
  streamed?: true;
  /** Media types that a streamed answer may have, without parameters. Default: JSON alone. The gateway sends no other. */
  mediaTypes?: readonly [string, ...string[]];
  /** Also reachable with an API key. */
  apiKey?: true;
  /** A GET that the cookie `JWT` opens too, so that a plain link can download it. */
  cookie?: true;
  /** The body is multipart/form-data with exactly one file, in this field; the handler reads it as it comes. In place of `body`. */
  file?: { readonly field: string; readonly maxBytes: number };
  /** Bytes of request body; default 1 MiB. */
  bodyLimit?: number;
  /**
   * Calls that the audit log holds before their answer leaves, whoever calls. A `sign-in` names its user in the body's
   * `username`, or the handler says who it is. All other calls of known users are written soon afterwards.
   */
  audit?: "sign-in" | "security";
  /** Parameters that open something by themselves, such as a signature: the audit log holds their names only. */
  hiddenParams?: readonly string[];
}

/** Declares a route. Keeps the literal types, so that handlers and callers are checked against it. */
export const route = <const R extends RouteShape>(shape: R): R => shape;

type Out<T> = T extends z.ZodType ? z.output<T> : undefined;
type In<T> = T extends z.ZodType ? z.input<T> : undefined;

export type ParamsOf<R extends RouteShape> = Out<R["params"]>;
export type QueryOf<R extends RouteShape> = Out<R["query"]>;
export type BodyOf<R extends RouteShape> = Out<R["body"]>;
/** What a handler returns. */
export type AnswerOf<R extends RouteShape> = z.input<R["response"]>;
/** What a caller receives. */
export type ResultOf<R extends RouteShape> = z.output<R["response"]>;
/** What a caller gives. Only the parts that the route has. */
export type CallOf<R extends RouteShape> = (R["params"] extends z.ZodType ? { params: In<R["params"]> } : unknown) &
  (R["query"] extends z.ZodType ? { query?: In<R["query"]> } : unknown) &
  (R["body"] extends z.ZodType ? { body: In<R["body"]> } : unknown);

/** A capability's routes by name. */
export type Routes = Record<string, RouteShape>;
