// @ts-check
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { answerSchemas } from "./lib/answer-schemas.mjs";
import { builtFingerprints, ensureBuilt } from "./lib/build.mjs";
import { checkout } from "./lib/checkout.mjs";
import { builtFromFile, releaseFolder } from "./lib/release.mjs";

// Records a release in contract/released/NAME for comparison with later versions: the schemas of all answers, the migrations,
// and the fingerprints of the sources. The release must be listed in docs/releases.tsv.
const [name] = process.argv.slice(2);
if (name === undefined || !/^r\d+$/.test(name)) {
  console.error("Usage: node scripts/keep-release.mjs r2");
  process.exit(1);
}
await ensureBuilt(console.log);
const built = join(checkout, "contract/dist");
const files = (await readdir(built)).filter((file) => file.endsWith(".js") && !file.endsWith(".test.js"));
const schemas = answerSchemas(await Promise.all(files.map((file) => import(join(built, file)))));
const folder = releaseFolder(name);
await mkdir(folder, { recursive: true });
// One line per call keeps diffs between releases readable.
const lines = Object.entries(schemas).map(([call, schema]) => `${JSON.stringify(call)}: ${JSON.stringify(schema)}`);
await writeFile(join(folder, "answers.json"), `{\n${lines.join(",\n")}\n}\n`);
const { migrationList } = await import("@fairway/gateway/database/migration-list");
await writeFile(join(folder, "migrations.json"), `${JSON.stringify(await migrationList(), undefined, 2)}\n`);
await writeFile(join(folder, builtFromFile), `${JSON.stringify(await builtFingerprints(), undefined, 2)}\n`);
console.log(`Recorded ${lines.length} answers in contract/released/${name}.`);
