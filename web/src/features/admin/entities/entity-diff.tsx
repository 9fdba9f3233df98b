import { isJsonObject } from "@fairway/contract/json";
import { TextDiff } from "#ui/diff/text-diff.tsx";

interface EntityDiffProps {
  label: string;
  /** The names of both sides. */
  names: readonly [before: string, after: string];
  before: unknown;
  after: unknown;
}

/** Without the version of the entity, which differs always. */
const textOf = (value: unknown): string =>
  value === null || value === undefined ? "" : JSON.stringify(isJsonObject(value) ? { ...value, version: undefined } : value, null, 2);

/** A line diff of two states of an entity. */
export function EntityDiff({ before, after, ...props }: EntityDiffProps) {
  return <TextDiff {...props} before={textOf(before)} after={textOf(after)} />;
}
