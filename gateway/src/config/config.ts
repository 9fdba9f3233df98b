import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type Limits, limits } from "@fairway/contract/limits";
import { type PasswordRules, asvsPasswordMinCharacters } from "@fairway/contract/passwords";
import { trimEndCharacters } from "@fairway/contract/trim-characters";
import type { z } from "zod";
import type { CacSettings } from "#openid/cac-settings.ts";
import { type Variable, allVariables, holdsSignIn, limitVariableName, limitVariables, namedVariables } from "#config/config-variables.ts";
import { type SecurityLimits, securityLimits } from "#identity/security-limits.ts";
import { isLoopback } from "#process/loopback.ts";
import type { OidcSettings } from "#openid/oidc-settings.ts";
import { type MailSettings, mailSettings } from "#config/mail-settings.ts";
import { withSecretFiles } from "#config/secret-files.ts";
import type { PrestoSignIn } from "#query/presto/client/statements.ts";
import { retiredVariables, withRetiredVariables } from "#config/retired-variables.ts";
import { type OperatorSettings, type WrittenSettings, checkSettings, isJsonItself, readWrittenSettings } from "#config/settings-file.ts";
import type { S3Settings } from "#storage/s3-settings.ts";
import { StartFailure } from "#process/start-failure.ts";
import { systemCode } from "#process/system-code.ts";
import { type TracingSettings, tracingSettings } from "#tracing/tracing-settings.ts";

/** The configuration from the environment, read once. */
export interface Config {
  /** Demo mode: demo data, demo accounts, loopback only. */
  readonly demo: boolean;
  readonly host: string;
  /** 0 = any free port. */
  readonly port: number;
  /** Absolute path of the folder that holds everything the portal writes. */
  readonly home: string;
  /** Folder of the built web app; null = serve only the API. */
  readonly webRoot: string | null;
  /** The built tools with their index. */
  readonly toolsFolder: string;
  /** Undefined = the embedded PostgreSQL below `home`. */
  readonly databaseUrl: string | undefined;
  /** 32 bytes, base64 or hex; undefined = a file below `home`, created on first start. */
  readonly masterKey: string | undefined;
  readonly trustedProxies: readonly string[];
  /** Allowed hosts of requests, with a port or for all ports; undefined = any. */
  readonly allowedHosts: readonly string[] | undefined;
  /** Absolute path of the folder with client certificates for upstreams. */
  readonly keystoreFolder: string;
  /** Addresses and CIDR ranges that external datasets may call although the address policy would refuse them. */
  readonly upstreamAddresses: readonly string[];
  /** Addresses and ranges outside the internet that webhooks of users may have. */
  readonly webhookAddresses: readonly string[];
  /** Settings for the S3 service that the enabled configuration names. */
  readonly s3: Pick<S3Settings, "credentials" | "pathStyle" | "directUploads">;
  /** Datasets on that service. `buckets`: which ones they may read, as `bucket` or `bucket/folder`. `cacheFolder` is absolute. */
  readonly s3Datasets: { readonly buckets: readonly string[]; readonly cacheFolder: string };
  /** How the portal signs in to the query server that the enabled configuration names. */
  readonly presto: PrestoSignIn;
  /** Scans uploaded files; undefined = files are not scanned. */
  readonly scanCommand: readonly [string, ...string[]] | undefined;
  /** How emails are sent; undefined = none are. */
  readonly mail: MailSettings | undefined;
  /** Destination of traces; undefined = there are none. */
  readonly tracing: TracingSettings | undefined;
  readonly firstAdministrator: { username: string; password: string } | undefined;
  /** Public URL of the portal without a trailing slash; undefined = the address it listens on. */
  readonly publicUrl: string | undefined;
  /** How long a portal that is asked to stop still serves, not ready any more, so that load balancers turn away first. */
  readonly drainSeconds: number;
  readonly logLevel: "debug" | "info" | "warn" | "error" | "silent";
  /** The operator's settings file with its defaults filled in; its limits are already part of `limits` and `securityLimits`. */
  readonly settings: OperatorSettings;
  /** Card issuer with the client secret; undefined = card sign-in is disabled. */
  readonly cac: CacSettings | undefined;
  /** The organization's OpenID Connect provider; undefined = local accounts and cards only. */
  readonly oidc: OidcSettings | undefined;
  /** Whether administration requires a session with a second factor. */
  readonly secondFactorForAdministrators: boolean;
  /** Password policy; its minimum length is already part of `limits`. */
  readonly passwordRules: PasswordRules;
  readonly limits: Limits;
  /** Private limits, never sent to a browser. */
  readonly securityLimits: SecurityLimits;
  /** Whether to open a browser on a desktop. */
  readonly openBrowser: boolean;
  /** Likely mistakes of the operator, one sentence each. */
  readonly warnings: readonly string[];
}

const secretVariables = [...allVariables].filter(([, { secret }]) => secret).map(([name]) => name);

/** The message lists every invalid variable. */
export class ConfigurationError extends StartFailure {}

const checkout = fileURLToPath(new URL("../../../", import.meta.url));

/**
 * Reads the environment, the files of secrets, and the settings file. Throws ConfigurationError. An empty variable counts as
 * unset.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>, { demo }: { demo: boolean }): Config {
  const { env, problems } = withSecretFiles(environment, secretVariables);
  const read = readerOf(env, problems);
  const get = <Name extends keyof typeof namedVariables>(name: Name) => read(name, namedVariables[name] as Variable<ValueOf<Name>>);

  const host = get("HOST") ?? "";
  if (demo && host !== "" && !isLoopback(host)) {
    problems.push(
      `HOST is ${JSON.stringify(host)}: the demo has well-known passwords and listens on this machine only (127.0.0.1, ::1 or localhost). Use npm run start:production to be reachable from elsewhere.`,
    );
  }
  const settings = readSettings(get("FAIRWAY_SETTINGS"), retiredValues(env, read), problems);
  const { file } = settings;
  const numbers: Record<string, number | undefined> = { ...file.limits };
  for (const [limit, variable] of limitVariables) {
    const name = limitVariableName(limit);
    if (env[name] !== undefined && env[name] !== "") numbers[limit] = read(name, variable);
  }
  const rawPublicUrl = get("PUBLIC_URL");
  const publicUrl = rawPublicUrl === undefined ? undefined : trimEndCharacters(rawPublicUrl, "/");
  const home = get("FAIRWAY_HOME") ?? "";
  const absoluteHome = isAbsolute(home) ? home : env["FAIRWAY_HOME"] ? resolve(home) : join(checkout, home);
  const allowedHosts = get("ALLOWED_HOSTS") ?? (demo ? localHosts(host) : undefined);
  const pathStyle = get("FAIRWAY_S3_PATH_STYLE");
  const passwordRules = get("PASSWORD_RULES") ?? "specification";
  const publicLimits = limits.parse(numbers);
  // Only checked: JSON is what receivers of either read.
  get("OTEL_EXPORTER_OTLP_PROTOCOL");
  const mailing = mailOf(get("FAIRWAY_SMTP_URL"), get("FAIRWAY_SMTP_FROM"), env, problems);
  const readable = get("FAIRWAY_S3_DATASET_BUCKETS") ?? [];
  if (readable.some((location) => location.split("/")[0]?.toLowerCase() === file.ownData.bucket.toLowerCase())) {
    problems.push(
      `FAIRWAY_S3_DATASET_BUCKETS names '${file.ownData.bucket}', which is ownData.bucket of the settings: datasets must not read the own data of users. Use another bucket.`,
    );
  }
  const config: Config = {
    demo,
    host,
    port: get("PORT") ?? 0,
    home: absoluteHome,
    keystoreFolder: resolve(absoluteHome, file.keystoreFolder),
    upstreamAddresses: get("FAIRWAY_UPSTREAM_ADDRESSES") ?? (demo ? ["127.0.0.0/8", "::1"] : []),
    webhookAddresses: get("FAIRWAY_WEBHOOK_ADDRESSES") ?? (demo ? ["127.0.0.0/8", "::1"] : []),
    webRoot: join(checkout, "web/dist"),
    toolsFolder: join(checkout, "sdk/dist"),
    databaseUrl: get("DATABASE_URL"),
    masterKey: get("FAIRWAY_MASTER_KEY"),
    trustedProxies: get("TRUSTED_PROXIES") ?? [],
    allowedHosts: allowedHosts?.includes("*") ? undefined : allowedHosts,
    s3: {
      credentials: s3Credentials(get("FAIRWAY_S3_ACCESS_KEY_ID"), get("FAIRWAY_S3_SECRET_ACCESS_KEY"), env, problems),
      pathStyle: pathStyle === undefined ? undefined : pathStyle === "1",
      directUploads: file.s3.directUploads,
    },
    s3Datasets: {
      buckets: readable,
      cacheFolder: resolve(absoluteHome, file.s3.cacheFolder),
    },
    presto: {
      user: get("FAIRWAY_PRESTO_USER") ?? "",
      password: get("FAIRWAY_PRESTO_PASSWORD"),
      token: get("FAIRWAY_PRESTO_TOKEN"),
      ca: certificatesIn("presto.ca", file.presto.ca, problems),
      asUser: file.presto.asUser,
    },
    scanCommand: file.scanCommand,
    mail: mailing,
    tracing: tracingSettings({
      isDisabled: get("OTEL_SDK_DISABLED") === "true",
      endpoint: get("OTEL_EXPORTER_OTLP_ENDPOINT"),
      tracesEndpoint: get("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"),
      headers: get("OTEL_EXPORTER_OTLP_HEADERS"),
      serviceName: get("OTEL_SERVICE_NAME") ?? "",
      sampler: get("OTEL_TRACES_SAMPLER") ?? "parentbased_always_on",
      ratio: get("OTEL_TRACES_SAMPLER_ARG") ?? 1,
    }),
    firstAdministrator: firstAdministrator(get("FAIRWAY_ADMIN_USERNAME"), get("FAIRWAY_ADMIN_PASSWORD"), env, problems),
    publicUrl,
    drainSeconds: get("DRAIN_SECONDS") ?? 0,
    logLevel: get("LOG_LEVEL") ?? "info",
    settings: file,
    cac: withClientSecret(file.cac, get("FAIRWAY_CAC_CLIENT_SECRET")),
    oidc: oidcOf(get, file.oidc, env, problems),
    secondFactorForAdministrators: get("SECOND_FACTOR_FOR_ADMINISTRATORS") === "1",
    passwordRules,
    limits:
      passwordRules === "asvs"
        ? { ...publicLimits, passwordMinCharacters: Math.max(publicLimits.passwordMinCharacters, asvsPasswordMinCharacters) }
        : publicLimits,
    securityLimits: securityLimits.parse(numbers),
    openBrowser: get("FAIRWAY_OPEN") === "1",
    warnings: [
      ...settings.warnings,
      ...unknownVariables(env),
      ...unreachableAddress(publicUrl, allowedHosts),
      ...unlinkedEmails(mailing, publicUrl),
    ],
  };
  const { passwordMinCharacters } = config.limits;
  if (config.firstAdministrator && config.firstAdministrator.password.length < passwordMinCharacters) {
    problems.push(`FAIRWAY_ADMIN_PASSWORD is not valid: expected at least ${passwordMinCharacters} characters.`);
  }
  if (problems.length > 0) throw new ConfigurationError(problems.join("\n"));
  return config;
}

type Read = <Value>(name: string, variable: Variable<Value>) => Value | undefined;

/** Reads variables, and adds a sentence to the problems for each that is not valid. */
const readerOf =
  (env: Readonly<Record<string, string | undefined>>, problems: string[]): Read =>
  (name, variable) => {
    const text = env[name] === undefined || env[name] === "" ? variable.fallback : env[name];
    if (text === undefined) return undefined;
    const parsed = variable.schema.safeParse(text);
    if (parsed.success) return parsed.data;
    problems.push(
      `${name} is ${variable.secret || holdsSignIn(text) ? "not valid" : JSON.stringify(text)}: expected ${variable.expected}.`,
    );
    return undefined;
  };

/** The settings file as it has to be once no retired variable is set any more. Throws ConfigurationError. */
export function presentSettings(environment: Readonly<Record<string, string | undefined>>): WrittenSettings {
  const { env, problems } = withSecretFiles(environment, secretVariables);
  const read = readerOf(env, problems);
  const { written } = readSettings(read("FAIRWAY_SETTINGS", namedVariables.FAIRWAY_SETTINGS), retiredValues(env, read), problems);
  if (problems.length > 0) throw new ConfigurationError(problems.join("\n"));
  return written;
}

/** Of the retired variables that are set to something valid. */
function retiredValues(env: Readonly<Record<string, string | undefined>>, read: Read): ReadonlyMap<string, unknown> {
  const values = new Map<string, unknown>();
  for (const [name, { variable }] of retiredVariables) {
    if (env[name] === undefined || env[name] === "") continue;
    const value = read(name, variable);
    if (value !== undefined) values.set(name, value);
  }
  return values;
}

/** The settings file with what retired variables add to it. */
function readSettings(
  setting: string | undefined,
  retired: ReadonlyMap<string, unknown>,
  problems: string[],
): { file: OperatorSettings; written: WrittenSettings; warnings: readonly string[] } {
  const name = setting === undefined || isJsonItself(setting) ? "FAIRWAY_SETTINGS" : `FAIRWAY_SETTINGS (${setting})`;
  const { written, problems: unreadable } = readWrittenSettings(setting);
  const merged = withRetiredVariables(written, retired);
  const { settings, problems: invalid } = checkSettings(merged.written);
  problems.push(...[...unreadable, ...invalid].map((problem) => `${name}: ${problem}.`));
  return { file: settings, ...merged };
}

type ValueOf<Name extends keyof typeof namedVariables> = z.output<(typeof namedVariables)[Name]["schema"]>;

/** The names of this machine, and the address that the demo listens on. */
function localHosts(host: string): string[] {
  return [...new Set(["localhost", "127.0.0.1", "[::1]", host.includes(":") ? `[${host}]` : host])].filter((name) => name !== "");
}

function unreachableAddress(publicUrl: string | undefined, allowedHosts: readonly string[] | undefined): string[] {
  if (publicUrl === undefined || allowedHosts === undefined || allowedHosts.includes("*")) return [];
  const { host, hostname } = new URL(publicUrl);
  const names = new Set(allowedHosts.map((name) => name.toLowerCase()));
  if (names.has(host) || names.has(hostname)) return [];
  return [`ALLOWED_HOSTS does not name ${hostname}, the host of PUBLIC_URL: people who open that address are refused.`];
}

function firstAdministrator(
  username: string | undefined,
  password: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  problems: string[],
): Config["firstAdministrator"] {
  requireBoth(env, problems, "FAIRWAY_ADMIN_USERNAME", "FAIRWAY_ADMIN_PASSWORD");
  return username !== undefined && password !== undefined ? { username, password } : undefined;
}

function s3Credentials(
  accessKeyId: string | undefined,
  secretAccessKey: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  problems: string[],
): S3Settings["credentials"] {
  // An invalid one of them is a problem already.
  if (accessKeyId !== undefined || secretAccessKey !== undefined) {
    requireBoth(env, problems, "FAIRWAY_S3_ACCESS_KEY_ID", "FAIRWAY_S3_SECRET_ACCESS_KEY");
  }
  return accessKeyId !== undefined && secretAccessKey !== undefined ? { accessKeyId, secretAccessKey } : undefined;
}

function mailOf(
  url: string | undefined,
  from: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  problems: string[],
): MailSettings | undefined {
  // An invalid one of them is a problem already.
  if (url !== undefined || from !== undefined) requireBoth(env, problems, "FAIRWAY_SMTP_URL", "FAIRWAY_SMTP_FROM");
  return url !== undefined && from !== undefined ? mailSettings(url, from) : undefined;
}

/** Emails without the portal's address have no links. */
const unlinkedEmails = (settings: MailSettings | undefined, publicUrl: string | undefined): string[] =>
  settings === undefined || publicUrl !== undefined ? [] : ["PUBLIC_URL is not set: emails will not link to the portal."];

type Get = <Name extends keyof typeof namedVariables>(name: Name) => ValueOf<Name> | undefined;

function oidcOf(
  get: Get,
  details: OperatorSettings["oidc"],
  env: Readonly<Record<string, string | undefined>>,
  problems: string[],
): OidcSettings | undefined {
  const { takeRoles, takeGroups, requiredRoles, requiredGroups, ca, ...others } = details;
  const settings = {
    ...others,
    issuer: get("OIDC_ISSUER"),
    clientId: get("OIDC_CLIENT_ID"),
    clientSecret: get("OIDC_CLIENT_SECRET"),
    displayName: get("OIDC_DISPLAY_NAME") ?? "",
    ca: certificatesIn("oidc.ca", ca, problems),
    roleMapping: get("OIDC_ROLE_MAPPING") ?? new Map<string, string[]>(),
    takesRoles: takeRoles,
    takesGroups: takeGroups,
    required: { roles: requiredRoles, groups: requiredGroups },
  };
  const { issuer, clientId } = settings;
  // An invalid one of them is a problem already.
  if (issuer !== undefined || clientId !== undefined) requireBoth(env, problems, "OIDC_ISSUER", "OIDC_CLIENT_ID");
  return issuer !== undefined && clientId !== undefined ? { ...settings, issuer, clientId } : undefined;
}

/** `setting`: its name in the settings file. */
function certificatesIn(setting: string, path: string | undefined, problems: string[]): string | undefined {
  if (path === undefined) return undefined;
  try {
    const text = readFileSync(resolve(path), "utf8");
    // Throws for a text without a certificate.
    if (new X509Certificate(text).raw.length > 0) return text;
  } catch (error) {
    const reason =
      systemCode(error)?.startsWith("E") === true && !systemCode(error)?.startsWith("ERR_")
        ? "cannot be read"
        : "contains no certificate in PEM";
    problems.push(`FAIRWAY_SETTINGS: ${setting} (${path}) ${reason}.`);
  }
  return undefined;
}

function requireBoth(env: Readonly<Record<string, string | undefined>>, problems: string[], first: string, second: string): void {
  const [present, missing] = env[first] ? [first, second] : [second, first];
  if (env[present] && !env[missing]) problems.push(`${missing} is not set: expected both or neither of it and ${present}.`);
}

function withClientSecret(cac: CacSettings | null, clientSecret: string | undefined): CacSettings | undefined {
  return cac === null ? undefined : { ...cac, ...(clientSecret === undefined ? {} : { clientSecret }) };
}

function unknownVariables(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.keys(env)
    .filter((name) => /^(FAIRWAY|LIMIT|OIDC)_/.test(name) && !allVariables.has(name) && !retiredVariables.has(name))
    .map((name) => `The environment variable ${name} is not one that Fairway knows.`);
}
