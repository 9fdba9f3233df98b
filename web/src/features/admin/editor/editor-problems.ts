import { isJsonObject } from "@fairway/contract/json";
import { entityDefinitions } from "@fairway/contract/administration";
import type { AdministeredType } from "@fairway/contract/entity-types";
import { unknownFieldIssues, deepStrict } from "@fairway/contract/unknown-fields";
import { validationMessage } from "@fairway/contract/validation-messages";
import { findDuplicateName } from "./editor-names.ts";
import type { Path } from "./editor-schema.ts";

export interface EditorProblem {
  /** Empty for the whole value. */
  path: Path;
  message: string;
  /** The text is not JSON, so there are no paths. */
  syntax?: true;
}

export type Parsed = { value: unknown; problem: null } | { value: undefined; problem: EditorProblem };

export function parseJson(text: string): Parsed {
  try {
    const value = JSON.parse(text) as unknown;
    const path = findDuplicateName(text);
    return path ? { value: undefined, problem: { path, message: "appears twice." } } : { value, problem: null };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { value: undefined, problem: { path: [], message: `This is not JSON: ${error.message}`, syntax: true } };
  }
}

/** Problems for which the gateway would refuse the entity by the rules of its type. Problems of `ignoredFields` are left out. */
export function problemsOf(type: AdministeredType, value: unknown, ignoredFields: readonly string[]): EditorProblem[] {
  const { enabled: _, warnings: _warnings, ...fields } = isJsonObject(value) ? value : {};
  const { version: _version, ...named } = fields;
  const parsed = deepStrict(entityDefinitions[type].schema).safeParse(isJsonObject(value) ? named : value, { error: validationMessage });
  return unknownFieldIssues(parsed.error?.issues ?? [], "This field doesn't exist.")
    .map(({ path, message }) => ({ path: path.map((step) => (typeof step === "number" ? step : String(step))), message }))
    .filter(({ path }) => !ignoredFields.includes(String(path[0])));
}

/** `/mapSupport/itemTemporalField`; empty for the whole value. */
export const pathText = (path: Path): string => path.map((step) => `/${step}`).join("");
