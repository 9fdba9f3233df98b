import { joltSpec, joltTrial } from "@fairway/contract/jolt";
import { type Capability, implement } from "#http/capability.ts";
import { parsed } from "#http/parsed.ts";
import { JoltRunner } from "#jolt/runner.ts";

export interface Jolt extends Capability {
  /** Runs chains in worker threads. */
  readonly runner: JoltRunner;
}

/** Trial runs of Jolt transform chains. */
export function openJolt(): Jolt {
  const runner = new JoltRunner();
  return {
    runner,
    routes: {
      joltTrial: implement(joltTrial, {
        async run({ body, signal, user }) {
          const steps = parsed(joltSpec, body.joltSpec, "The chain", ["joltSpec"]);
          const output = await runner.run(steps, body.input, { signal, owner: user.id });
          return { contentType: "application/json; charset=utf-8", chunks: [`{"output":${output}}`] };
        },
      }),
    },
    gauges: [
      { name: "fairway_jolt_waiting_runs", help: "Jolt chains that wait for their worker thread.", read: () => runner.metrics.waiting },
    ],
    close: () => runner.close(),
  };
}
