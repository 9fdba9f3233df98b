// @ts-check
// Checks the container image without a container engine: builds it with buildah on a Debian base of its own, runs it with a
// read-only root as the user of the image, signs in, and restarts two of them in turn behind HAProxy under load. Needs root on
// Linux. Also checks the forms of compose.yaml and the Helm chart. Prints what was not checked.
//   --image=NAME  runs an image that was built before
import { parseArgs } from "node:util";
import { Failure } from "./lib/failure.mjs";
import { checkChart, checkCompose, checkRollingRestart, checkSignIn } from "./containers/checks.mjs";
import { buildImage, mountImage } from "./containers/image.mjs";
import { hasProgram } from "./containers/programs.mjs";

const { values: options } = parseArgs({ options: { image: { type: "string" } } });

/** @type {string[]} */
const unchecked = [
  "that the public images of FROM and compose.yaml can be pulled",
  "compose.yaml with a container engine",
  "the chart in a cluster",
];

try {
  if (await hasProgram("docker-compose")) await checkCompose(console.log);
  else unchecked.push("the form of compose.yaml (docker-compose is not installed)");
  if ((await hasProgram("helm")) && (await hasProgram("kubernetes-validate"))) await checkChart(console.log);
  else unchecked.push("the chart (helm or kubernetes-validate is not installed)");
  const missing = [];
  for (const program of ["buildah", "debootstrap", "unshare", "setpriv"]) if (!(await hasProgram(program))) missing.push(program);
  if (process.getuid?.() !== 0) missing.push("root");
  if (missing.length > 0) unchecked.push(`the image (${missing.join(", ")} missing)`);
  else {
    const image = await mountImage(options.image ?? (await buildImage(console.log)), console.log);
    try {
      await checkSignIn(image, console.log);
      if (await hasProgram("haproxy")) await checkRollingRestart(image, console.log);
      else unchecked.push("a rolling restart (haproxy is not installed)");
    } finally {
      await image.unmount();
    }
  }
  for (const what of unchecked) console.log(`Not checked: ${what}.`);
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
