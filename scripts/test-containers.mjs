// @ts-check
// Checks the container image without a container engine: builds it with buildah on a Debian base of its own, runs it with a
// read-only root as the user of the image, signs in, and restarts two of them in turn behind HAProxy under load. Needs root on
// Linux. Also checks the forms of compose.yaml and the Helm chart. Ends with lines `not run: …` and `N passed, N failed`.
//   --image=NAME  runs an image that was built before
import { parseArgs } from "node:util";
import { log, runScenario } from "./harness/scenario.mjs";
import { ensureServerBuilt } from "./lib/build.mjs";
import { buildImage, mountImage } from "./containers/image.mjs";
import { hasProgram } from "./lib/programs.mjs";

const { values: options } = parseArgs({ options: { image: { type: "string" } } });

await runScenario(async (outcomes) => {
  const { notRun } = outcomes;
  notRun.push(
    "pulling the public images of FROM and compose.yaml (there is no container engine)",
    "compose.yaml in use (there is no container engine)",
    "the chart in a cluster (there is none)",
  );
  await ensureServerBuilt(log);
  // Can only be imported after the build.
  const { checkChart, checkCompose, checkRollingRestart, checkSignIn } = await import("./containers/checks.mjs");
  if (await hasProgram("docker-compose")) await outcomes.check("the form of compose.yaml", () => checkCompose(log));
  else notRun.push("the form of compose.yaml (docker-compose is not installed)");
  if ((await hasProgram("helm")) && (await hasProgram("kubernetes-validate"))) await outcomes.check("the chart", () => checkChart(log));
  else notRun.push("the chart (helm or kubernetes-validate is not installed)");
  const missing = [];
  for (const program of ["buildah", "debootstrap", "unshare", "setpriv"]) if (!(await hasProgram(program))) missing.push(program);
  if (process.getuid?.() !== 0) missing.push("root");
  if (missing.length > 0) {
    notRun.push(`the image (${missing.join(", ")} missing)`);
    return;
  }
  const image = await mountImage(options.image ?? (await buildImage(log)), log);
  try {
    await outcomes.check("the image", () => checkSignIn(image, log));
    if (await hasProgram("haproxy")) await outcomes.check("a rolling restart", () => checkRollingRestart(image, log));
    else notRun.push("a rolling restart (haproxy is not installed)");
  } finally {
    await image.unmount();
  }
});
