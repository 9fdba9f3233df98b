// @ts-check
// This version's portal with the web app of another version, whose build folder is FAIRWAY_UPGRADE_WEB.
import { demoPlatform } from "@fairway/demo/platform";
import { runPortal } from "@fairway/gateway/portal-process";
import { openService } from "@fairway/gateway/service";

const webRoot = process.env["FAIRWAY_UPGRADE_WEB"] ?? "";
process.env["LIMIT_PATH_GAP_MS"] ||= String(12 * 3_600_000);

await runPortal({
  demo: true,
  openService: (foundation) => openService({ ...foundation, config: { ...foundation.config, webRoot } }, demoPlatform),
});
