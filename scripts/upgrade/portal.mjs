// @ts-check
// This version's portal with the web app of another version, whose build folder is FAIRWAY_UPGRADE_WEB. With the demo platform unless
// --production is given.
import { demoPlatform } from "@fairway/demo/platform";
import { runPortal } from "@fairway/gateway/portal/portal-process";
import { openService } from "@fairway/gateway/portal/service";
import { builtRelease } from "../lib/release.mjs";

const production = process.argv.includes("--production");
const webRoot = process.env["FAIRWAY_UPGRADE_WEB"] ?? "";
process.env["LIMIT_PATH_GAP_MS"] ||= String(12 * 3_600_000);

await runPortal({
  demo: !production,
  openService: async (foundation) => {
    const platform = production ? undefined : demoPlatform;
    return openService({ ...foundation, config: { ...foundation.config, webRoot } }, platform, await builtRelease());
  },
});
