// @ts-check
// Runs the commands of the documents as they are written there, one after another, in a clone of the last commit. docs/commands.md
// says which; scripts/documented-commands.test.ts compares. Ends with lines `not run: …` and `N passed, N failed`.
//   --from=TEXT  leaves out what comes before the first command with this text
import { randomBytes } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { RunningCommand, ended, interrupt } from "./documents/running-command.mjs";
import { steps } from "./documents/steps.mjs";
import { expectCall, signIn } from "./harness/calls.mjs";
import { log, runScenario } from "./harness/scenario.mjs";
import { ensureBrowser } from "./lib/browser.mjs";
import { ensureServerBuilt } from "./lib/build.mjs";
import { checkout } from "./lib/checkout.mjs";
import { Failure } from "./lib/failure.mjs";
import { freePort } from "./lib/processes.mjs";
import { hasProgram, outputOf } from "./lib/programs.mjs";

/** @typedef {import("./documents/steps.mjs").Step} Step */

const { values: options } = parseArgs({ options: { from: { type: "string" } } });
const place = join(checkout, ".build/documents");
const [clone, folder] = [join(place, "clone"), join(place, "files")];
const homes = /** @type {const} */ (["demo", "production", "restored"]);
const homeOf = (/** @type {(typeof homes)[number]} */ home) => join(place, home);

await runScenario(async (outcomes) => {
  const begins = Math.max(
    0,
    steps.findIndex(({ command }) => options.from !== undefined && command.includes(options.from)),
  );
  if (begins === 0) await rm(place, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "passphrase"), `${randomBytes(12).toString("hex")}\n`);
  await writeFile(join(folder, "password"), "Quiet-harbor-8\n");
  if (begins === 0) await outputOf("git", ["clone", "--quiet", checkout, clone]);
  // A portal's settings name its port, which its commands look at.
  const ports = Object.fromEntries(await Promise.all(homes.map(async (home) => [home, String(await freePort())])));

  /**
   * @param {Step} step
   * @param {{ origin?: string, variables?: Readonly<Record<string, string>> }} [surroundings]
   */
  const runStep = async (step, { origin = "", variables = {} } = {}) => {
    const missing = await missingFor(step);
    if (missing !== undefined) {
      outcomes.notRun.push(`${step.command} (${missing})`);
      return;
    }
    const s3 = step.needsServer === "s3" ? await openS3() : undefined;
    const command = new RunningCommand(withExamples(step, origin), {
      cwd: step.within === undefined ? clone : step.within.replace("{demo}", homeOf("demo")).replace(/^(?!\/)/, `${clone}/`),
      variables: { ...variablesOf(step.home, ports), ...variables, ...s3?.variables },
      input: step.input ?? "",
    });
    try {
      await outcomes.check(step.command, async () => {
        const stop = step.isReadyOnly === true;
        const ready = stop ? await command.ready() : undefined;
        for (const inner of step.meanwhile ?? []) {
          await runStep({ ...inner, home: step.home }, { origin: ready, variables: await keyOf(ready ?? "", step) });
        }
        const { code, output } = stop ? await interrupt(command) : await ended(command);
        // Ctrl-C ends npm itself by its signal.
        if (code !== 0 && !(stop && code === null)) throw new Failure(`It ended with ${code}.\n${output.slice(-2_000)}`);
        if (step.says !== undefined && !step.says.test(output))
          throw new Failure(`It does not say ${step.says}:\n${output.slice(0, 2_000)}`);
        if (step.leavesSources === true) {
          const changed = await outputOf("git", ["status", "--porcelain"], { cwd: clone });
          if (changed !== "") throw new Failure(`It has changed the sources:\n${changed}`);
        }
        if (step.changesSources === true) await outputOf("git", ["checkout", "--quiet", "--", "."], { cwd: clone });
      });
    } finally {
      await interrupt(command);
      await s3?.stop();
    }
  };
  for (const step of steps.slice(begins)) await runStep(step);
  await rm(place, { recursive: true, force: true });
});

/** @param {Step} step @returns {Promise<string | undefined>} what this machine lacks for it */
async function missingFor({ needs = [], needsServer }) {
  for (const program of needs) if (!(await hasProgram(program))) return `${program} is not installed`;
  if (needsServer === "browser") ensureBrowser();
  if (needsServer === "s3") {
    await ensureServerBuilt(log);
    const { installS3 } = await import("./platform/s3-server.mjs");
    if ((await installS3(log)) === undefined) return "versitygw and go are not installed";
  }
  return undefined;
}

/** @param {Step} step @param {string} origin */
function withExamples({ command, examples = {} }, origin) {
  let text = command;
  for (const [example, real] of Object.entries(examples)) text = text.replaceAll(example, real);
  return text.replaceAll("{origin}", origin).replaceAll("{folder}", folder);
}

/** @param {Step["home"]} home @param {Readonly<Record<string, string>>} ports @returns {Record<string, string>} */
function variablesOf(home, ports) {
  if (home === undefined) return {};
  const own = { FAIRWAY_HOME: homeOf(home), PORT: ports[home] ?? "0" };
  return home === "demo" ? own : { ...own, FAIRWAY_ADMIN_USERNAME: "admin", FAIRWAY_ADMIN_PASSWORD: "Quiet-harbor-6" };
}

/** An API key of the demo for the calls of programs. @param {string} origin @param {Step} step @returns {Promise<Record<string, string>>} */
async function keyOf(origin, { home }) {
  if (home !== "demo") return {};
  await ensureServerBuilt(log);
  const { demoPassword } = await import("@fairway/contract/api");
  const token = await signIn(origin, "viewer", demoPassword);
  const datasets = [{ datasetCategory: "Tropical weather", datasetId: "storm-tracks" }];
  const { key } = await expectCall(origin, "POST", "/apiKeys", { token, body: { name: `documents ${Date.now()}`, datasets } });
  return { API_KEY: key };
}

async function openS3() {
  const { installS3, startS3 } = await import("./platform/s3-server.mjs");
  const server = await startS3((await installS3(log)) ?? "", join(place, "s3"));
  await mkdir(join(place, "s3/data/demo"), { recursive: true });
  const { FAIRWAY_S3_ACCESS_KEY_ID: id, FAIRWAY_S3_SECRET_ACCESS_KEY: secret } = server.variables;
  const variables = {
    AWS_ENDPOINT_URL: server.url,
    AWS_ACCESS_KEY_ID: id,
    AWS_SECRET_ACCESS_KEY: secret,
    AWS_DEFAULT_REGION: server.region,
  };
  return { variables, stop: () => server.kill() };
}
