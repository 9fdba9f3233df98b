// @ts-check
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { demoAccounts } from "@fairway/demo/accounts";
import { demoPlatform } from "@fairway/demo/platform";
import { expectCall, signIn } from "../harness/calls.mjs";

/**
 * Both gateways of a new demo started at the same moment: each dataset was built by one of them, and both list the same ones.
 * @param {import("./open-platform.mjs").RunningPlatform} platform
 */
export async function checkDemo({ gateways, home }) {
  const [administrator = { username: "", password: "" }] = demoAccounts.users;
  // Gateways of a demo share a log.
  const lines = (await readFile(join(home, "logs/fairway.log"), "utf8")).split("\n");
  for (const { entity } of demoPlatform.datasets) {
    const built = lines.filter((line) => line.includes('"dataset built"') && line.includes(`"dataset":"${entity.id}"`)).length;
    if (built !== 1) throw new Error(`${entity.id} was built ${built} times`);
  }
  const lists = await Promise.all(
    gateways.map(async ({ origin }) => {
      const token = await signIn(origin, administrator.username, administrator.password);
      return JSON.stringify(await expectCall(origin, "GET", "/datasets", { token }));
    }),
  );
  if (lists[0] !== lists[1]) throw new Error("the gateways list different datasets");
  const missing = demoPlatform.datasets.filter(({ entity }) => lists[0]?.includes(`"${entity.id}"`) !== true);
  if (missing.length > 0) throw new Error(`not listed: ${missing.map(({ entity }) => entity.id).join(", ")}`);
}
