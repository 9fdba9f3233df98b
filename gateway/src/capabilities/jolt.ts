import { joltSpec, type joltTrial } from "@fairway/contract/jolt";
import { issueItems } from "#http/error-handler.ts";
import type { Handlers } from "#http/handlers.ts";
import { Refusal } from "#http/refusal.ts";
import { checkedRun } from "#jolt/checked.ts";

export const joltRoutes = (): Handlers<typeof joltTrial> => ({
  run: ({ body }) => {
    const steps = joltSpec.safeParse(body.joltSpec);
    if (steps.success) return { output: checkedRun(steps.data, body.input) };
    const issues = steps.error.issues.map(({ path, message }) => ({ path: ["joltSpec", ...path], message }));
    throw Refusal.of(issueItems(issues, "The chain"));
  },
});
