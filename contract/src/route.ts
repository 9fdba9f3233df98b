import type { z } from "zod";

/**
 * Permission to call a route. Required on every route, so that access is always decided explicitly. Decision 0001.
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
  /** Relative to the gateway's base path, with `:name` for parameters. */
  path: `/${string}`;
  access: Access;
  /** One sentence for the API reference. */
  summary: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** Unknown fields are refused, except fields that responses of the route's group contain, which are dropped. */
  body?: z.ZodType;
  /** Schema for the API reference if the handler validates the body itself. */
  documentedBody?: z.ZodType;
  /** Response body; `z.undefined()` for an empty one. The gateway parses it, which drops fields that it does not name. */
  response: z.ZodType;
  /** Success status. Default: 200, or 204 if the response is undefined. */
  status?: 200 | 201 | 202 | 204;
  /**
   * The handler streams the response, which is not parsed on the way out. `response` then only documents it and types the
   * web app.
   */
  streamed?: true;
  /** Allowed media types of a streamed response, without parameters. Default: JSON. */
  mediaTypes?: readonly [string, ...string[]];
  /** The response is sent as it is, for files: a compressed one would lose its length and its ranges. */
  uncompressed?: true;
  /** The response goes on until the caller leaves or the gateway ends it, so that its duration says nothing. */
  endless?: true;
  /** The response has an ETag: a GET with it in If-None-Match gets 304, a PUT with an older one in If-Match is refused with `stale-version`. */
  versioned?: true;
  /** Also callable with an API key. */
  apiKey?: true;
  /** A GET that also accepts the cookie `JWT`, so that a plain link can download it. */
  cookie?: true;
  /** Instead of `body`: multipart/form-data with exactly one file in this field, which the handler reads as a stream. */
  file?: { readonly field: string; readonly maxBytes: number };
  /** Instead of `body`: the handler reads the body as a stream of any type and size. */
  rawBody?: true;
  /** Maximum size of the request body in bytes; default 1 MiB. */
  bodyLimit?: number;
  /**
   * Calls that are written to the audit log before the response is sent, for every caller. A `sign-in` names its user in the
   * body's `username`, or the handler does. Other calls of known users are written shortly afterwards.
   */
  audit?: "sign-in" | "security";
  /** Parameters that grant access by themselves, such as a signature: the audit log contains only their names. */
  hiddenParams?: readonly string[];
}

/** Declares a route, keeping literal types so that handlers and callers are checked against it. */
export const route = <const R extends RouteShape>(shape: R): R => shape;

type Out<T> = T extends z.ZodType ? z.output<T> : undefined;
type In<T> = T extends z.ZodType ? z.input<T> : undefined;

export type ParamsOf<R extends RouteShape> = Out<R["params"]>;
export type QueryOf<R extends RouteShape> = Out<R["query"]>;
export type BodyOf<R extends RouteShape> = Out<R["body"]>;
/** Return type of a handler. */
export type AnswerOf<R extends RouteShape> = z.input<R["response"]>;
/** Type of the response that a caller receives. */
export type ResultOf<R extends RouteShape> = z.output<R["response"]>;
/** Arguments of a call: only the parts that the route declares. */
export type CallOf<R extends RouteShape> = (R["params"] extends z.ZodType ? { params: In<R["params"]> } : unknown) &
  (R["query"] extends z.ZodType ? { query?: In<R["query"]> } : unknown) &
  (R["body"] extends z.ZodType ? { body: In<R["body"]> } : unknown);

/** A capability's routes by name. */
export type Routes = Record<string, RouteShape>;
