import { expect, it } from "vitest";
import { type OpenErrors, withError } from "./toast-errors.ts";

const failed = (id: string): OpenErrors => ({ id, errors: [{ kind: "error", title: `${id} failed`, durationMs: false }] });
const toldBy = (open: readonly OpenErrors[]) => open.map(({ id, errors }) => [id, ...errors.map(({ title }) => title)]);
const after = (...ids: string[]) => toldBy(ids.map(failed).reduce<OpenErrors[]>(withError, []));

it("keeps each of three errors in a toast of its own", () => {
  expect(after("a", "b", "c")).toEqual([
    ["a", "a failed"],
    ["b", "b failed"],
    ["c", "c failed"],
  ]);
});

it("gives the newest error its own toast and lets the oldest share one, none lost", () => {
  expect(after("a", "b", "c", "d", "e")).toEqual([
    ["a", "a failed", "b failed", "c failed"],
    ["d", "d failed"],
    ["e", "e failed"],
  ]);
});
