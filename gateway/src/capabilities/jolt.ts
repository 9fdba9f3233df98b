import { joltSpec, type joltTrial } from "@fairway/contract/jolt";
import type { Handlers } from "#http/handlers.ts";
import { parsed } from "#http/parsed.ts";
import { checkedRun } from "#jolt/checked.ts";

export const joltRoutes = (): Handlers<typeof joltTrial> => ({
  run: ({ body }) => ({ output: checkedRun(parsed(joltSpec, body.joltSpec, "The chain", ["joltSpec"]), body.input) }),
});
