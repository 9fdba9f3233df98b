import { isIP } from "node:net";
import { parseBucketGlob } from "@fairway/contract/bucket-globs";
import { limits } from "@fairway/contract/limits";
import { passwordRules } from "@fairway/contract/passwords";
import { plainLine } from "@fairway/contract/text";
import { trimEndCharacters } from "@fairway/contract/trim-characters";
import { z } from "zod";
import { isCallable } from "#openid/cac-settings.ts";
import { parseHost } from "#http/allowed-hosts.ts";
import { securityLimits } from "#identity/security-limits.ts";
import { isMailAddress, isSmtpUrl } from "#config/mail-settings.ts";
import { decodeMasterKey } from "#secrets/master-key.ts";
import { roleMapping } from "#openid/oidc-settings.ts";
import { parseHeaders, samplers } from "#tracing/tracing-settings.ts";

/** An environment variable. The operator guide describes each one; a test compares both. */
export interface Variable<Value = unknown> {
  readonly schema: z.ZodType<Value, string>;
  /** Completes the sentence "expected …". */
  readonly expected: string;
  /** Default as it would be written in the environment; undefined = unset. */
  readonly fallback: string | undefined;
  readonly unit: string;
  /** Whether to keep its value out of messages. */
  readonly secret: boolean;
}

/** Whether there may be a user and a password of an address in the text. */
export const holdsSignIn = (text: string): boolean => text.includes("@", text.indexOf("://")) && text.includes("://");

export function variable<Value>(
  schema: z.ZodType<Value, string>,
  expected: string,
  options: { fallback?: string; unit?: string; secret?: true } = {},
): Variable<Value> {
  return { schema, expected, fallback: options.fallback, unit: options.unit ?? "", secret: options.secret ?? false };
}

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .pipe(z.int().min(min).max(max));

const isCidr = (text: string): boolean => {
  const [, address = "", prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  return version !== 0 && (prefix === undefined || Number(prefix) <= (version === 4 ? 32 : 128));
};

const cidrs = z
  .string()
  .transform((text) => text.split(/[\s,]+/).filter((part) => part !== ""))
  .pipe(z.array(z.string().refine(isCidr)));

const hosts = z
  .string()
  .transform((text) => text.split(/[\s,]+/).filter((part) => part !== ""))
  .pipe(z.array(z.string().refine((part) => part === "*" || parseHost(part) !== undefined)).min(1));

/** Names of buckets, each alone or followed by a folder. */
const bucketFolders = z
  .string()
  .transform((text) => text.split(/[\s,]+/).flatMap((part) => (part === "" ? [] : [trimEndCharacters(part, "/")])))
  .pipe(z.array(z.string().refine((part) => parseBucketGlob(`s3://${part}/*`) !== undefined && !/[*?[]/.test(part))));

const headers = z.string().transform((text, context): Record<string, string> => {
  const parsed = parseHeaders(text);
  if (parsed !== undefined) return parsed;
  context.addIssue("not headers");
  return z.NEVER;
});

const mappedRoles = z.string().transform(parsedJson).pipe(roleMapping);

export function parsedJson(text: string, context: z.RefinementCtx): unknown {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue("not JSON");
    return z.NEVER;
  }
}

const isIssuer = (text: string): boolean => {
  if (!isCallable(text)) return false;
  const { username, search, hash } = new URL(text);
  return username === "" && search === "" && hash === "";
};

const isUrl = (protocols: readonly string[]) => (text: string) => URL.canParse(text) && protocols.includes(new URL(text).protocol);

/**
 * Refuses addresses in which a sign of the password that is not percent-encoded has become a separator, so that a part of the password
 * would be taken, and named in messages, as the host.
 */
function isDatabaseUrl(text: string): boolean {
  if (!isUrl(["postgres:", "postgresql:"])(text)) return false;
  const { username, password, pathname, search, hash } = new URL(text);
  const isEncoded = !/%(?![\da-f]{2})/i.test(`${username}:${password}`);
  return isEncoded && hash === "" && !pathname.includes("@") && !/^\?[^=&]*@/.test(search);
}

export const namedVariables = {
  PORT: variable(wholeNumber(0, 65_535), "a whole number from 0 to 65535 (0 takes a free port)", { fallback: "8080" }),
  HOST: variable(z.string().regex(/^[\w.:-]+$/), "an address or name of this machine, such as 127.0.0.1 or 0.0.0.0", {
    fallback: "127.0.0.1",
  }),
  FAIRWAY_HOME: variable(z.string(), "the path of a folder", { fallback: ".fairway" }),
  DATABASE_URL: variable(
    z.string().refine(isDatabaseUrl),
    "postgres://user:password@host:port/database, with / ? # % and @ of the password in percent-encoding (# is %23)",
    { secret: true },
  ),
  FAIRWAY_MASTER_KEY: variable(
    z.string().refine((text) => decodeMasterKey(text) !== undefined),
    "32 bytes as 64 hexadecimal digits or as base64",
    { secret: true },
  ),
  FAIRWAY_SETTINGS: variable(z.string(), "the path of a JSON file, or the JSON itself"),
  FAIRWAY_ADMIN_USERNAME: variable(z.string().trim().min(1).max(200), "a user name of at most 200 characters"),
  FAIRWAY_ADMIN_PASSWORD: variable(z.string().min(1).max(1_000), "a password of at most 1,000 characters", { secret: true }),
  TRUSTED_PROXIES: variable(cidrs, "addresses or CIDR ranges separated by commas, such as 10.0.0.0/8,::1"),
  ALLOWED_HOSTS: variable(
    hosts,
    "host names or addresses separated by commas, such as data.example.org,localhost:8080,[::1], or * for all",
  ),
  PUBLIC_URL: variable(
    z.string().refine((text) => isUrl(["http:", "https:"])(text) && !new URL(text).href.includes("@")),
    "the http or https address people open, such as https://data.example.org",
  ),
  FAIRWAY_CAC_CLIENT_SECRET: variable(z.string().regex(/^[\x20-\x7e]{1,1000}$/), "a text of at most 1,000 letters, digits and signs", {
    secret: true,
  }),
  OIDC_ISSUER: variable(
    z.string().refine(isIssuer),
    "an https address, or http to this machine, such as https://login.example.org/realms/main",
  ),
  OIDC_CLIENT_ID: variable(z.string().regex(/^[\x21-\x7e]{1,500}$/), "the id of a client"),
  OIDC_CLIENT_SECRET: variable(z.string().regex(/^[\x20-\x7e]{1,1000}$/), "a text of at most 1,000 letters, digits and signs", {
    secret: true,
  }),
  OIDC_DISPLAY_NAME: variable(plainLine(1, 60), "a name of at most 60 characters", { fallback: "your organization" }),
  OIDC_ROLE_MAPPING: variable(
    mappedRoles,
    'a JSON object from roles of the provider to roles, such as {"data-analyst":["analyst","reader"]}',
  ),
  DRAIN_SECONDS: variable(wholeNumber(0, 3_600), "a whole number from 0 to 3600", { fallback: "0", unit: "seconds" }),
  LOG_LEVEL: variable(z.enum(["debug", "info", "warn", "error", "silent"]), "debug, info, warn, error or silent", { fallback: "info" }),
  SECOND_FACTOR_FOR_ADMINISTRATORS: variable(z.enum(["0", "1"]), "0 or 1", { fallback: "0" }),
  PASSWORD_RULES: variable(passwordRules, "specification or asvs", { fallback: "specification" }),
  FAIRWAY_UPSTREAM_ADDRESSES: variable(cidrs, "addresses or CIDR ranges separated by commas, such as 127.0.0.1,fd00::/8"),
  FAIRWAY_WEBHOOK_ADDRESSES: variable(cidrs, "addresses or CIDR ranges separated by commas, such as 10.1.2.0/24,fd00::/8"),
  FAIRWAY_S3_ACCESS_KEY_ID: variable(z.string().regex(/^[\x21-\x7e]{1,200}$/), "the id of an access key", { secret: true }),
  FAIRWAY_S3_SECRET_ACCESS_KEY: variable(z.string().regex(/^[\x21-\x7e]{1,1000}$/), "the secret of an access key", { secret: true }),
  FAIRWAY_S3_PATH_STYLE: variable(z.enum(["0", "1"]), "0 or 1"),
  FAIRWAY_S3_DATASET_BUCKETS: variable(bucketFolders, "buckets, or folders of buckets, separated by commas, such as lake,archive/open"),
  FAIRWAY_PRESTO_USER: variable(
    z.string().regex(/^[\x21-\x39\x3b-\x7e]{1,200}$/),
    "a user name of letters, digits and signs without a colon",
    {
      fallback: "fairway",
    },
  ),
  FAIRWAY_PRESTO_PASSWORD: variable(z.string().regex(/^\P{Cc}{1,1000}$/u), "a password of at most 1,000 characters", { secret: true }),
  FAIRWAY_PRESTO_TOKEN: variable(z.string().regex(/^[\x21-\x7e]{1,7000}$/), "a JSON Web Token", { secret: true }),
  FAIRWAY_SMTP_URL: variable(z.string().refine(isSmtpUrl), "smtp://user:password@host:port or smtps://user:password@host:port", {
    secret: true,
  }),
  FAIRWAY_SMTP_FROM: variable(z.string().refine(isMailAddress), "an email address, such as portal@example.org"),
  OTEL_EXPORTER_OTLP_ENDPOINT: variable(
    z.string().refine(isUrl(["http:", "https:"])),
    "the http or https address of an OTLP receiver, such as http://collector:4318",
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: variable(
    z.string().refine(isUrl(["http:", "https:"])),
    "the http or https address that traces are posted to, such as http://collector:4318/v1/traces",
  ),
  OTEL_EXPORTER_OTLP_HEADERS: variable(headers, "headers such as authorization=Bearer%20token, separated by commas", { secret: true }),
  OTEL_EXPORTER_OTLP_PROTOCOL: variable(
    z.enum(["http/json", "http/protobuf"]),
    "http/json (http/protobuf is accepted, because receivers of it read JSON as well; grpc is not supported)",
    { fallback: "http/json" },
  ),
  OTEL_SERVICE_NAME: variable(z.string().regex(/^\P{Cc}{1,200}$/u), "a name of at most 200 characters", { fallback: "fairway" }),
  OTEL_TRACES_SAMPLER: variable(z.enum(samplers), samplers.join(", "), { fallback: "parentbased_always_on" }),
  OTEL_TRACES_SAMPLER_ARG: variable(
    z
      .string()
      .regex(/^[01](?:\.\d{1,10})?$|^\.\d{1,10}$/)
      .transform(Number)
      .pipe(z.number().max(1)),
    "a share from 0 to 1, such as 0.1",
    { fallback: "1" },
  ),
  OTEL_SDK_DISABLED: variable(z.enum(["true", "false"]), "true or false", { fallback: "false" }),
  FAIRWAY_OPEN: variable(z.enum(["0", "1"]), "0 or 1", { fallback: "1" }),
} as const;

/** Limits that operators set most often, by sizes and numbers of their people and machines: each has a variable of its own. */
const limitsWithVariable = [
  "loginAttemptsPerMinute",
  "loginFailuresPerMinute",
  "refreshesPerMinute",
  "userCallsPerMinute",
  "apiKeyCallsPerMinute",
  "passwordMinCharacters",
  "engineSlots",
  "engineSlotsPerUser",
  "engineWaitMs",
  "queryTimeoutMs",
  "databaseConnections",
  "exportMaxRows",
  "exportsAtOnce",
  "uploadMaxBytes",
  "uploadPartsFromBytes",
  "s3CacheBytes",
  "mapItems",
  "pathGapMs",
  "liveStreams",
  "auditDays",
] as const satisfies readonly (keyof typeof limits.shape | keyof typeof securityLimits.shape)[];

/** Every limit, keyed by its name. */
export const allLimits: ReadonlyMap<string, z.ZodDefault<z.ZodInt>> = new Map(Object.entries({ ...limits.shape, ...securityLimits.shape }));

/** `cellTextCharacters` → `LIMIT_CELL_TEXT_CHARACTERS`. */
export function limitVariableName(limit: string): string {
  return `LIMIT_${limit.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

const unitWords = ["Seconds", "Minutes", "Hours", "Days", "Bytes", "Rows", "Characters"];

/** The unit in a limit's name. */
export function unitOf(limit: string): string {
  if (limit.endsWith("Ms")) return "milliseconds";
  if (limit.endsWith("PerMinute")) return "per minute";
  if (limit.endsWith("Mb")) return "megabytes";
  const ofAll = limit.replace(/PerUser$/, "");
  return unitWords.find((word) => ofAll.endsWith(word))?.toLowerCase() ?? "number";
}

/** The variable of a limit, whose value in the environment is text. */
export function limitVariable(limit: string): Variable<number> {
  const fallback = allLimits.get(limit)?.parse(undefined);
  return variable(wholeNumber(1, 1_000_000_000_000), "a whole number, at least 1", { fallback: String(fallback), unit: unitOf(limit) });
}

/** Variables of limits, keyed by the name of the limit. */
export const limitVariables: ReadonlyMap<string, Variable<number>> = new Map(
  limitsWithVariable.map((limit) => [limit, limitVariable(limit)]),
);

/** All variables, keyed by their name in the environment. */
export const allVariables: ReadonlyMap<string, Variable> = new Map<string, Variable>([
  ...Object.entries(namedVariables),
  ...[...limitVariables].map(([limit, its]) => [limitVariableName(limit), its] as const),
]);
