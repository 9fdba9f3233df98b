// @ts-check
// The measured process: the portal as `npm start` runs it, with the measurements' platform instead of the demo's.
import { runPortal } from "@fairway/gateway/portal-process";
import { openService } from "@fairway/gateway/service";
import { benchPlatform } from "./platform.mjs";

await runPortal({ demo: true, openService: (foundation) => openService(foundation, benchPlatform) });
