import { expect, it } from "vitest";
import { type OpenErrors, withError } from "./toast-errors.ts";

const failed = (id: string): OpenErrors => ({ id, errors: [{ kind: "error", title: `${id} failed`, durationMs: false }] });
const titlesOf = (open: readonly OpenErrors[]) => open.map(({ id, errors }) => [id, ...errors.map(({ title }) => title)]);
const after = (...ids: string[]) => titlesOf(ids.map(failed).reduce<OpenErrors[]>(withError, []));

it("shows each of three errors in its own toast", () => {
  expect(after("a", "b", "c")).toEqual([
    ["a", "a failed"],
    ["b", "b failed"],
    ["c", "c failed"],
  ]);
});

it("shows the newest error in its own toast and merges the oldest into one", () => {
  expect(after("a", "b", "c", "d", "e")).toEqual([
    ["a", "a failed", "b failed", "c failed"],
    ["d", "d failed"],
    ["e", "e failed"],
  ]);
});
