import { isAbsolute } from "node:path";
import { newAccountName } from "@fairway/contract/accounts";
import { isJsonObject } from "@fairway/contract/json";
import { recordOf } from "@fairway/contract/records";
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
  wholeNumber,
} from "#config-variables.ts";
import type { WrittenSettings } from "#settings-file.ts";

/** A variable that became a setting of the settings file. It is read until the next release, which refuses to start with it. */
export interface RetiredVariable {
  /** Where the settings file has its value now. */
  readonly path: readonly [string, ...string[]];
  /** Reads the text into the value that the settings file has. */
  readonly variable: Variable;
  /** Whether messages leave out its value, which may hold a password. */
  readonly concealed: boolean;
}

const retired = (path: RetiredVariable["path"], its: Variable, concealed = false): RetiredVariable => ({ path, variable: its, concealed });

const flag = variable(
  z.enum(["0", "1"]).transform((text) => text === "1"),
  "0 or 1",
);
const pathText = z.string().regex(/^\P{Cc}+$/u);
const claim = variable(z.string().regex(/^[\x21-\x7e]{1,200}$/), "the name of a claim");

/** Names separated by commas, or a JSON array for names with commas. */
const names = variable(
  z
    .string()
    .transform((text, context): unknown => {
      if (!text.trimStart().startsWith("[")) return text.split(",").map((part) => part.trim());
      return parsedJson(text, context);
    })
    .pipe(z.array(z.string().regex(/^\P{Cc}{1,500}$/u)).max(1_000)),
  "names separated by commas, or a JSON array of them",
);

/** A JSON object from values of a claim to one role or several. */
const mapping = z
  .string()
  .transform(parsedJson)
  .pipe(recordOf(z.string(), z.union([newAccountName, z.array(newAccountName)])));

/** A program and its arguments, without a shell. */
const command = z
  .string()
  .transform(parsedJson)
  .pipe(z.tuple([z.string().refine(isAbsolute)], z.string()));

/** Keyed by their name in the environment. */
export const retiredVariables: ReadonlyMap<string, RetiredVariable> = new Map(
  Object.entries({
    OIDC_CLIENT_AUTHENTICATION: retired(["oidc", "clientAuthentication"], variable(z.enum(["basic", "post"]), "basic or post")),
    OIDC_SCOPE: retired(
      ["oidc", "scope"],
      variable(z.string().regex(/^(?=.*\bopenid\b)[\x21-\x7e]+(?: [\x21-\x7e]+)*$/), "scopes separated by spaces, openid among them"),
    ),
    OIDC_CA: retired(["oidc", "ca"], variable(pathText, "the path of a PEM file")),
    OIDC_USERNAME_CLAIM: retired(["oidc", "claims", "username"], claim),
    OIDC_FIRST_NAME_CLAIM: retired(["oidc", "claims", "firstName"], claim),
    OIDC_LAST_NAME_CLAIM: retired(["oidc", "claims", "lastName"], claim),
    OIDC_NAME_CLAIM: retired(["oidc", "claims", "name"], claim),
    OIDC_EMAIL_CLAIM: retired(["oidc", "claims", "email"], claim),
    OIDC_GROUPS_CLAIM: retired(["oidc", "claims", "groups"], claim),
    OIDC_ROLES_CLAIM: retired(["oidc", "claims", "roles"], claim),
    OIDC_GROUP_MAPPING: retired(
      ["oidc", "groupMapping"],
      variable(mapping, 'a JSON object from groups of the provider to roles, such as {"it-staff":"admin"}'),
    ),
    OIDC_TAKE_ROLES: retired(["oidc", "takeRoles"], flag),
    OIDC_TAKE_GROUPS: retired(["oidc", "takeGroups"], flag),
    OIDC_REQUIRED_ROLES: retired(["oidc", "requiredRoles"], names),
    OIDC_REQUIRED_GROUPS: retired(["oidc", "requiredGroups"], names),
    ACCESS_TOKEN_SECONDS: retired(
      ["limits", "accessTokenSeconds"],
      variable(wholeNumber(1, 86_400), "a whole number from 1 to 86400", { unit: "seconds" }),
    ),
    FAIRWAY_KEYSTORES: retired(["keystoreFolder"], variable(pathText, "the path of a folder")),
    FAIRWAY_S3_DIRECT_UPLOADS: retired(["s3", "directUploads"], flag),
    FAIRWAY_S3_CACHE: retired(["s3", "cacheFolder"], variable(pathText, "the path of a folder")),
    FAIRWAY_PRESTO_CA: retired(["presto", "ca"], variable(pathText, "the path of a PEM file")),
    FAIRWAY_PRESTO_AS_USER: retired(["presto", "asUser"], flag),
    FAIRWAY_SCAN_COMMAND: retired(
      ["scanCommand"],
      variable(command, 'a JSON array of an absolute path and its arguments, such as ["/usr/bin/clamdscan","--stream","-"]'),
      true,
    ),
    ...Object.fromEntries(
      [...allLimits.keys()]
        .filter((limit) => !limitVariables.has(limit) && limit !== "accessTokenSeconds")
        .map((limit) => [limitVariableName(limit), retired(["limits", limit], limitVariable(limit))]),
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

/** False if there is a value, or something else where the path leads, which the check of the settings tells. */
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
    `${joined(variableNames)} ${isOrAre(variableNames)} read from the environment for the last time: set ${entries.join(", ")} in the file that FAIRWAY_SETTINGS names, or run npm run fairway -- settings, which prints that file for the present environment.`,
  ];
}

function contradictions(variableNames: readonly string[]): string[] {
  if (variableNames.length === 0) return [];
  return [
    `${joined(variableNames)} ${isOrAre(variableNames)} not used, because the settings that FAIRWAY_SETTINGS names already say it: remove ${variableNames.length === 1 ? "it" : "them"} from the environment.`,
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

const isOrAre = (subjects: readonly string[]): string => (subjects.length === 1 ? "is" : "are");

const joined = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
