// @ts-check
// The attacked process: the portal as `npm start` runs it, with two accounts and one small dataset.
import { runPortal } from "@fairway/gateway/portal-process";
import { openService } from "@fairway/gateway/service";
import { platform } from "./lib/platform.mjs";

await runPortal({ demo: true, openService: (foundation) => openService(foundation, platform) });
