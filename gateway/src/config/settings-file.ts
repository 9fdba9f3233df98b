import { readFileSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { bucketName } from "@fairway/contract/bucket-globs";
import { isJsonObject } from "@fairway/contract/json";
import { limits } from "@fairway/contract/limits";
import { ownDataWho } from "@fairway/contract/own-datasets";
import { banner, externalPage, mapTiles } from "@fairway/contract/settings";
import { z } from "zod";
import { cacSettings } from "#openid/cac-settings.ts";
import { securityLimits } from "#identity/security-limits.ts";
import { oidcDetails, pathText } from "#openid/oidc-settings.ts";
import { startSettings } from "#config/start-settings.ts";
import { systemCode } from "#process/system-code.ts";

const pathBelowHome = z
  .string()
  .min(1)
  .refine((path) => !isAbsolute(path) && !path.split(/[/\\]/).includes("..") && !path.includes("\0"), "expected a path below FAIRWAY_HOME");

const requiredLinks = new Set(["login", "unifieddatasets", "search"]);

/** Content of the settings file; every part has a default or may be omitted. */
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
  /** A PMTiles file of raster tiles for the map. `name`: its path, relative to FAIRWAY_HOME. */
  mapFile: z
    .strictObject({ name: pathBelowHome, attribution: mapTiles.shape.attribution.default("") })
    .nullable()
    .default(null),
  feedbackEnabled: z.boolean().default(true),
  /** Whether subscriptions may attach rows. */
  subscriptionRows: z.boolean().default(false),
  /**
   * `who` may bring data of their own: holders of the role `data-upload`, everyone, or nobody. `bucket`: for files of own data, on the S3
   * service that the enabled configuration names; empty = the folder that the gateways share.
   */
  ownData: z
    .strictObject({
      who: ownDataWho.default("role"),
      shareWithEveryone: z.boolean().default(true),
      bucket: z
        .string()
        .refine((name) => name === "" || bucketName.test(name), "expected the name of a bucket")
        .default(""),
    })
    .prefault({}),
  /** Whom people find to share with: everyone, members of their own groups, or nobody. */
  sharingCandidates: z.enum(["everyone", "groups", "off"]).default("everyone"),
  /** The first screen. */
  start: startSettings.default({ line: "", questions: [] }),
  /** `selfAccept`: whether administrators may accept flow requests that they created. */
  flows: z.strictObject({ selfAccept: z.boolean().default(true) }).default({ selfAccept: true }),
  /** Card issuer for sign-in; null = none. */
  cac: cacSettings.nullable().default(null),
  /** Details of the OpenID Connect provider that the environment names. */
  oidc: oidcDetails.prefault({}),
  /** The S3 service that the enabled configuration names. `cacheFolder`: for copies of the files of datasets; relative to FAIRWAY_HOME. */
  s3: z.strictObject({ directUploads: z.boolean().default(false), cacheFolder: pathText.default("cache/s3") }).prefault({}),
  /** The query server that the enabled configuration names. `ca`: the path of a PEM file; `asUser`: statements run as the signed-in user. */
  presto: z.strictObject({ ca: pathText.optional(), asUser: z.boolean().default(false) }).prefault({}),
  /** Client certificates for external datasets; relative to FAIRWAY_HOME. */
  keystoreFolder: pathText.default("keystores"),
  /** A program, which scans uploaded files, and its arguments, without a shell; omitted = files are not scanned. */
  scanCommand: z.tuple([z.string().refine(isAbsolute, "expected an absolute path")], z.string()).optional(),
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

/** Settings as the operator wrote them, not checked yet. */
export type WrittenSettings = Readonly<Record<string, unknown>>;

/**
 * Reads what FAIRWAY_SETTINGS names: a file, or the JSON itself, which begins with `{`. Nothing is written if it is unset. Problems
 * quote nothing, because a value may be a secret.
 */
export function readWrittenSettings(setting: string | undefined): { written: WrittenSettings; problems: string[] } {
  if (setting === undefined) return { written: {}, problems: [] };
  try {
    const written: unknown = JSON.parse(isJsonItself(setting) ? setting : readFileSync(resolve(setting), "utf8"));
    return isJsonObject(written) ? { written, problems: [] } : { written: {}, problems: ["the file: expected an object"] };
  } catch (error) {
    return { written: {}, problems: [readProblem(error)] };
  }
}

/** Whether FAIRWAY_SETTINGS is the JSON itself instead of a path. */
export const isJsonItself = (setting: string): boolean => setting.trimStart().startsWith("{");

/** Fills in the defaults; `problems` lists every invalid field, and all settings are the defaults then. */
export function checkSettings(written: WrittenSettings): { settings: OperatorSettings; problems: string[] } {
  const parsed = operatorSettings.safeParse(written);
  if (parsed.success) return { settings: parsed.data, problems: [] };
  const problems = parsed.error.issues.map((issue) => `${formatPath(issue.path)}: ${issue.message}`);
  return { settings: operatorSettings.parse({}), problems };
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
