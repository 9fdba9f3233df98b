import { joltSpec, type joltTrial } from "@fairway/contract/jolt";
import type { Handlers } from "#http/handlers.ts";
import { parsed } from "#http/parsed.ts";
import type { JoltRunner } from "#jolt/runner.ts";

export const joltRoutes = (jolt: Pick<JoltRunner, "run">): Handlers<typeof joltTrial> => ({
  async run({ body, signal, user }) {
    const steps = parsed(joltSpec, body.joltSpec, "The chain", ["joltSpec"]);
    const output = await jolt.run(steps, body.input, { signal, owner: user.id });
    return { contentType: "application/json; charset=utf-8", chunks: [`{"output":${output}}`] };
  },
});
