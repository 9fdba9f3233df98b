import { readFileSync } from "node:fs";
import { limits } from "@fairway/contract/limits";
import { banner, externalPage, mapTiles } from "@fairway/contract/settings";
import { z } from "zod";
import { cacSettings } from "#cac-settings.ts";
import { securityLimits } from "#identity/security-limits.ts";
import { startSettings } from "#start-settings.ts";
import { systemCode } from "#system-code.ts";

const requiredLinks = new Set(["login", "unifieddatasets", "search"]);

/** Content of the settings file; every part has a default. */
export const operatorSettings = z.strictObject({
  appTitle: z.string().max(200).default(""),
  appSubtitle: z.string().max(200).default(""),
  banner: banner.strict().nullable().default(null),
  disabledLinks: z
    .array(z.string().refine((link) => !requiredLinks.has(link.toLowerCase()), "Login and UnifiedDatasets cannot be disabled"))
    .default([]),
  externalPages: z
    .array(
      externalPage
        .extend({
          name: z.string().regex(/^[^/]+$/, "expected a name without '/'"),
          url: z.url({ protocol: /^https?$/ }),
          /** Keeps the page's own origin in the sandbox of the frame. */
          allowSameOrigin: z.boolean().default(false),
        })
        .strict(),
    )
    .default([]),
  supplementalHelp: z.array(z.strictObject({ name: z.string().min(1), display: z.string().min(1) })).default([]),
  helpFilesetId: z.string().min(1).default("help"),
  tools: z.array(z.strictObject({ display: z.string().min(1), description: z.string().optional() })).default([]),
  /** Descriptions of dataset categories. */
  categories: z.array(z.strictObject({ id: z.string().min(1), description: z.string() })).default([]),
  mapTiles: mapTiles
    .extend({ attribution: mapTiles.shape.attribution.default(""), maxZoom: mapTiles.shape.maxZoom.default(18) })
    .strict()
    .nullable()
    .default(null),
  feedbackEnabled: z.boolean().default(true),
  /** The first screen. */
  start: startSettings.default({ line: "", questions: [] }),
  /** `selfAccept`: whether administrators may accept flow requests that they created. */
  flows: z.strictObject({ selfAccept: z.boolean().default(true) }).default({ selfAccept: true }),
  /** Card issuer for sign-in; null = none. */
  cac: cacSettings.nullable().default(null),
  /** Override the defaults and are overridden by the environment. */
  limits: z.strictObject({ ...optional(limits.shape), ...optional(securityLimits.shape) }).default({}),
});
export type OperatorSettings = z.infer<typeof operatorSettings>;

/** Removes the defaults, so that omitted limits stay undefined and defaults are applied in one place. */
function optional<Shape extends Record<string, z.ZodDefault<z.ZodInt>>>(shape: Shape): { [K in keyof Shape]: z.ZodOptional<z.ZodInt> } {
  return Object.fromEntries(Object.entries(shape).map(([name, limit]) => [name, limit.unwrap().optional()])) as {
    [K in keyof Shape]: z.ZodOptional<z.ZodInt>;
  };
}

/** Reads the settings file; `problems` lists every invalid field. Returns the defaults if there is no path. */
export function readSettingsFile(path: string | undefined): { settings: OperatorSettings; problems: string[] } {
  const defaults = operatorSettings.parse({});
  if (path === undefined) return { settings: defaults, problems: [] };
  try {
    const parsed = operatorSettings.safeParse(JSON.parse(readFileSync(path, "utf8")));
    if (parsed.success) return { settings: parsed.data, problems: [] };
    return { settings: defaults, problems: parsed.error.issues.map((issue) => `${formatPath(issue.path)}: ${issue.message}`) };
  } catch (error) {
    return { settings: defaults, problems: [readProblem(error)] };
  }
}

function formatPath(path: readonly PropertyKey[]): string {
  return path.length === 0 ? "the file" : path.map(String).join(".");
}

function readProblem(error: unknown): string {
  // Without the part of the file that the message quotes, which may be a secret.
  if (error instanceof SyntaxError) return `it is not valid JSON (${error.message.replace(/, (?:\.\.\.)?".*is not valid JSON$/s, "")})`;
  const code = systemCode(error);
  if (code === undefined) throw error;
  return code === "ENOENT" ? "there is no such file" : `it cannot be read (${code})`;
}
