// @ts-check
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { checkout } from "../lib/checkout.mjs";

/** Rooms whose rules need neither a database nor a page: a wrong answer there is found by the tests beside the file or not at all. */
const rooms = [
  "contract/src",
  "contract/src/charts",
  "expressions/src",
  "gateway/src/query/sql",
  "gateway/src/flow-definitions",
  "web/src/features/search/graphs/model",
  "web/src/features/search/map/model",
  "web/src/features/search/map/playback",
  "web/src/parts/filters",
  "web/src/parts/open-searches",
  "web/src/lib/session",
];

/** @param {string} file */
export const testsBeside = (file) => file.replace(/\.ts$/, ".test.ts");

/** The files of the rooms that have tests beside them, relative to the checkout. */
export function pureFiles() {
  return rooms.flatMap((room) =>
    readdirSync(join(checkout, room))
      .filter((name) => name.endsWith(".test.ts"))
      .map((name) => `${room}/${name.replace(/\.test\.ts$/, ".ts")}`)
      .filter((file) => existsSync(join(checkout, file))),
  );
}

/**
 * Differs when the file or the tests beside it change.
 * @param {string} file
 */
export function contentKey(file) {
  const hash = createHash("sha256");
  for (const path of [file, testsBeside(file)]) hash.update(readFileSync(join(checkout, path)));
  return hash.digest("hex");
}
