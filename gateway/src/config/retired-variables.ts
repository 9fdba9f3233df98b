import { formatList, plural } from "@fairway/contract/counts";
import { isJsonObject } from "@fairway/contract/json";
import { z } from "zod";
import {
  type Variable,
  allLimits,
  holdsSignIn,
  limitVariable,
  limitVariableName,
  limitVariables,
  parsedJson,
  variable,
} from "#config/config-variables.ts";
import { securityLimits } from "#identity/security-limits.ts";
import { oidcDetails } from "#openid/oidc-settings.ts";
import { type WrittenSettings, operatorSettings } from "#config/settings-file.ts";

/** A variable that became a setting of the settings file. It is read until the next release, which refuses to start with it. */
export interface RetiredVariable {
  /** Path of its value in the settings file now. */
  readonly path: readonly [string, ...string[]];
  /** Reads the text into the value that the settings file has. */
  readonly variable: Variable;
  /** Whether messages leave out its value, which may hold a password. */
  readonly concealed: boolean;
}

/** Texts of the environment for values that are no texts. Invalid ones stay texts, which the setting then refuses. */
const read = {
  text: z.string(),
  number: z.string().transform((text) => (/^\d{1,15}$/.test(text) ? Number(text) : text)),
  flag: z.string().transform((text) => (text === "1" ? true : text === "0" ? false : text)),
  json: z.string().transform(parsedJson),
  /** Separated by commas, or a JSON array for names with commas. */
  names: z.string().transform((text, context): unknown => {
    if (!text.trimStart().startsWith("[")) return text.split(",").map((part) => part.trim());
    return parsedJson(text, context);
  }),
};

/** `expected` completes the sentence "expected …". */
const retired = (
  path: RetiredVariable["path"],
  setting: z.ZodType,
  { as = "text", expected, concealed = false }: { as?: keyof typeof read; expected: string; concealed?: boolean },
): RetiredVariable => ({
  path,
  variable: variable(
    (read[as] as z.ZodType<unknown, string>).refine((value) => setting.safeParse(value).success),
    expected,
  ),
  concealed,
});

const { s3, presto, keystoreFolder, scanCommand } = operatorSettings.shape;
const flag = { as: "flag", expected: "0 or 1" } as const;
const pem = { expected: "the path of a PEM file" };
const folder = { expected: "the path of a folder" };
const names = { as: "names", expected: "names separated by commas, or a JSON array of them" } as const;
const details = oidcDetails.shape;
type Claim = keyof z.output<typeof details.claims>;
const claim = (name: Claim) => retired(["oidc", "claims", name], details.claims.unwrap().shape[name], { expected: "the name of a claim" });

/** Keyed by their name in the environment. */
export const retiredVariables: ReadonlyMap<string, RetiredVariable> = new Map(
  Object.entries({
    OIDC_CLIENT_AUTHENTICATION: retired(["oidc", "clientAuthentication"], details.clientAuthentication, { expected: "basic or post" }),
    OIDC_SCOPE: retired(["oidc", "scope"], details.scope, { expected: "scopes separated by spaces, openid among them" }),
    OIDC_CA: retired(["oidc", "ca"], details.ca, pem),
    OIDC_USERNAME_CLAIM: claim("username"),
    OIDC_FIRST_NAME_CLAIM: claim("firstName"),
    OIDC_LAST_NAME_CLAIM: claim("lastName"),
    OIDC_NAME_CLAIM: claim("name"),
    OIDC_EMAIL_CLAIM: claim("email"),
    OIDC_GROUPS_CLAIM: claim("groups"),
    OIDC_ROLES_CLAIM: claim("roles"),
    OIDC_GROUP_MAPPING: retired(["oidc", "groupMapping"], details.groupMapping, {
      as: "json",
      expected: 'a JSON object from groups of the provider to roles, such as {"it-staff":"admin"}',
    }),
    OIDC_TAKE_ROLES: retired(["oidc", "takeRoles"], details.takeRoles, flag),
    OIDC_TAKE_GROUPS: retired(["oidc", "takeGroups"], details.takeGroups, flag),
    OIDC_REQUIRED_ROLES: retired(["oidc", "requiredRoles"], details.requiredRoles, names),
    OIDC_REQUIRED_GROUPS: retired(["oidc", "requiredGroups"], details.requiredGroups, names),
    ACCESS_TOKEN_SECONDS: retired(["limits", "accessTokenSeconds"], securityLimits.shape.accessTokenSeconds, {
      as: "number",
      expected: "a whole number from 1 to 86400",
    }),
    FAIRWAY_KEYSTORES: retired(["keystoreFolder"], keystoreFolder, folder),
    FAIRWAY_S3_DIRECT_UPLOADS: retired(["s3", "directUploads"], s3.unwrap().shape.directUploads, flag),
    FAIRWAY_S3_CACHE: retired(["s3", "cacheFolder"], s3.unwrap().shape.cacheFolder, folder),
    FAIRWAY_PRESTO_CA: retired(["presto", "ca"], presto.unwrap().shape.ca, pem),
    FAIRWAY_PRESTO_AS_USER: retired(["presto", "asUser"], presto.unwrap().shape.asUser, flag),
    FAIRWAY_SCAN_COMMAND: retired(["scanCommand"], scanCommand, {
      as: "json",
      expected: 'a JSON array of an absolute path and its arguments, such as ["/usr/bin/clamdscan","--stream","-"]',
      concealed: true,
    }),
    ...Object.fromEntries(
      [...allLimits.keys()]
        .filter((limit) => !limitVariables.has(limit) && limit !== "accessTokenSeconds")
        .map((limit) => [limitVariableName(limit), { path: ["limits", limit] as const, variable: limitVariable(limit), concealed: false }]),
    ),
  }),
);

interface Merged {
  readonly written: WrittenSettings;
  /** Sentences for the operator about the retired variables that are set. */
  readonly warnings: readonly string[];
}

/** Adds to the settings what retired variables say, unless they say it themselves. `values`: those of the variables that are set. */
export function withRetiredVariables(written: WrittenSettings, values: ReadonlyMap<string, unknown>): Merged {
  const merged: Record<string, unknown> = structuredClone(written);
  const used: Record<string, unknown> = {};
  const usedNames: string[] = [];
  const unused: string[] = [];
  for (const [name, value] of values) {
    const { path, concealed } = retiredVariables.get(name) ?? retiredVariable(name);
    if (setUnlessSet(merged, path, value)) {
      usedNames.push(name);
      setUnlessSet(used, path, concealed || holdsSignIn(JSON.stringify(value)) ? "…" : value);
    } else unused.push(name);
  }
  return { written: merged, warnings: [...advice(usedNames, used), ...contradictions(unused)] };
}

function retiredVariable(name: string): never {
  throw new Error(`${name} is not a retired variable`);
}

/** False if there is a value, or something else where the path leads, which the check of the settings reports. */
function setUnlessSet(settings: Record<string, unknown>, [key, ...rest]: readonly [string, ...string[]], value: unknown): boolean {
  const [next, ...others] = rest;
  if (next === undefined) {
    if (Object.hasOwn(settings, key)) return false;
    settings[key] = value;
    return true;
  }
  settings[key] ??= {};
  const inner = settings[key];
  return isJsonObject(inner) && setUnlessSet(inner, [next, ...others], value);
}

function advice(variableNames: readonly string[], settings: WrittenSettings): string[] {
  if (variableNames.length === 0) return [];
  const entries = Object.entries(settings).map(([key, value]) => `"${key}": ${asJson(value)}`);
  return [
    `${formatList(variableNames)} ${plural(variableNames.length, "is", "are")} read from the environment for the last time: set ${entries.join(", ")} in the file that FAIRWAY_SETTINGS names, or run npm run fairway -- settings, which prints that file for the present environment.`,
  ];
}

function contradictions(variableNames: readonly string[]): string[] {
  if (variableNames.length === 0) return [];
  return [
    `${formatList(variableNames)} ${plural(variableNames.length, "is", "are")} not used, because the settings that FAIRWAY_SETTINGS names already say it: remove ${plural(variableNames.length, "it", "them")} from the environment.`,
  ];
}

/** JSON on one line that is easy to read. */
function asJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(asJson).join(", ")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, inner]) => `${JSON.stringify(key)}: ${asJson(inner)}`)
    .join(", ")}}`;
}
