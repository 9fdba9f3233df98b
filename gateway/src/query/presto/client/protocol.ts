import { z } from "zod";
import type { ServerKind } from "./statements.ts";

/** `X-Trino-User` for `User`. */
export const headerName = (kind: ServerKind, name: string): string => `x-${kind}-${name}`.toLowerCase();

const serverError = z.object({
  message: z.string().nullish(),
  errorName: z.string().nullish(),
  errorType: z.string().nullish(),
});
export type ServerError = z.infer<typeof serverError>;

/** Answer to every step of a statement. Its rows are not checked further: their shape depends on the statement. */
export const statementAnswer = z.object({
  id: z.string().regex(/^[\w.-]{1,200}$/),
  nextUri: z.string().max(8_000).nullish(),
  columns: z.array(z.object({ name: z.string(), type: z.string() })).nullish(),
  data: z.array(z.custom<readonly unknown[]>(Array.isArray)).nullish(),
  error: serverError.nullish(),
});
export type StatementAnswer = z.infer<typeof statementAnswer>;

/** `GET /v1/info`. */
export const serverInfo = z.object({ nodeVersion: z.object({ version: z.string() }), starting: z.boolean().nullish() });

/** The first release that has only the headers of Trino. */
const firstTrino = 351;

/** Undefined for a version that is not conclusive, such as one of a build of a company. */
export function kindOfVersion(version: string): ServerKind | undefined {
  const [, major, rest = ""] = /^(\d{1,4})(\D.*)?$/.exec(version) ?? [];
  if (major === undefined) return undefined;
  if (major === "0") return rest.startsWith(".") ? "presto" : undefined;
  return Number(major) >= firstTrino ? "trino" : "presto";
}

/** Undefined for a text that is not JSON of this shape. */
export function parsed<Shape extends z.ZodType>(shape: Shape, text: string): z.infer<Shape> | undefined {
  try {
    return shape.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
