import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);

// The package does not export its data folder, which is next to its main file.
const vegaFolder = resolve(dirname(require.resolve("vega-datasets")), "../data");

/** A file of the vega-datasets package. Only use files whose license is stated in `demo/data/README.md`. */
export const vegaFile = (name: string): string => resolve(vegaFolder, name);

/** A file of the demo platform. */
export const demoFile = (name: string): string => fileURLToPath(new URL(`../data/${name}`, import.meta.url));
