import { isJsonObject } from "@fairway/contract/json";
import { TextDiff } from "#ui/diff/text-diff.tsx";

interface JsonDiffProps {
  label: string;
  /** The names of both sides. */
  names: readonly [before: string, after: string];
  before: unknown;
  after: unknown;
}

/** Without the version of an entity, which differs always. */
const textOf = (value: unknown): string =>
  value === null || value === undefined ? "" : JSON.stringify(isJsonObject(value) ? { ...value, version: undefined } : value, null, 2);

/** A line diff of two states of something that is stored as JSON. */
export function JsonDiff({ before, after, ...props }: JsonDiffProps) {
  return <TextDiff {...props} before={textOf(before)} after={textOf(after)} />;
}
