import { z } from "zod";

/** Every error code with its HTTP status. Nothing else decides the status of an error. */
export const errorStatus = {
  "invalid-request": 400,
  "malformed-json": 400,
  "unknown-column": 400,
  "unknown-operator": 400,
  "unknown-aggregation": 400,
  "invalid-value": 400,
  "reversed-range": 400,
  "not-supported": 400,
  "missing-filter": 400,
  "not-signed-in": 401,
  "wrong-credentials": 401,
  "invalid-refresh-token": 401,
  "sign-in-again": 401,
  "provider-ended": 401,
  forbidden: 403,
  "second-factor-required": 403,
  "not-found": 404,
  "method-not-allowed": 405,
  "name-taken": 409,
  "stale-version": 409,
  "in-use": 409,
  conflict: 409,
  "too-large": 413,
  "unsupported-media-type": 415,
  "range-not-satisfiable": 416,
  "host-not-allowed": 421,
  infected: 422,
  "too-many-requests": 429,
  abandoned: 499,
  internal: 500,
  "upstream-failed": 502,
  "engine-busy": 503,
  "not-ready": 503,
  "timed-out": 504,
  "no-room": 507,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof errorStatus;

export const errorCode = z.enum(Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]);

export const errorItem = z.object({
  code: errorCode,
  message: z.string(),
  /** The field of the body (`filters.0.value`), query parameter or column concerned. */
  path: z.string().optional(),
  /** Where in the text at `path`, in UTF-16 units; `to` is not part of it. */
  at: z.object({ from: z.int().nonnegative(), to: z.int().nonnegative() }).optional(),
});
export type ErrorItem = z.infer<typeof errorItem>;

/** Body of every response with a status of 400 or above. */
export const errorBody = z
  .object({
    errors: z.array(errorItem).min(1),
    /** The stored value, if the code is `stale-version` or `conflict` and the contract of the call says so. */
    current: z.unknown().optional(),
  })
  .meta({ id: "Errors" });
export type ErrorBody = z.infer<typeof errorBody>;
