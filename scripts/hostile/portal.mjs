// @ts-check
// The attacked process: the portal as started by `npm start`, with two accounts and one small dataset.
import { runPortal } from "@fairway/gateway/portal-process";
import { openService } from "@fairway/gateway/service";
import { platform } from "./lib/platform.mjs";

await runPortal({ demo: true, openService: (foundation) => openService(foundation, platform) });
