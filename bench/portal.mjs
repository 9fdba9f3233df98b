// @ts-check
// The measured process: the portal as started by `npm start`, with the benchmark platform instead of the demo.
import { runPortal } from "@fairway/gateway/portal/portal-process";
import { openService } from "@fairway/gateway/portal/service";
import { benchPlatform } from "./platform.mjs";

await runPortal({ demo: true, openService: (foundation) => openService(foundation, benchPlatform) });
