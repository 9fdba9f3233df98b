import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);

// The package's main file lies beside the folder of its data, which its exports do not name.
const vegaFolder = resolve(dirname(require.resolve("vega-datasets")), "../data");

/** A file of the vega-datasets package. Only those whose licence `demo/data/README.md` states. */
export const vegaFile = (name: string): string => resolve(vegaFolder, name);

/** A file that comes with the demo platform. */
export const demoFile = (name: string): string => fileURLToPath(new URL(`../data/${name}`, import.meta.url));
