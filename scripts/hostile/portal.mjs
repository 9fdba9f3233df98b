// @ts-check
// The attacked process: the portal as started by `npm start`, with two accounts and one small dataset.
import { runPortal } from "@fairway/gateway/portal/portal-process";
import { openService } from "@fairway/gateway/portal/service";
import { platform } from "./lib/platform.mjs";
import { SliceTrace } from "./lib/slices.mjs";

const trace = new SliceTrace();
process.on("message", (message) => {
  if (message === "start trace") void trace.start().then(() => process.send?.("started"));
  else void trace.stop().then((slice) => process.send?.(slice));
});
// The attacks decide when it ends.
process.channel?.unref();

await runPortal({ demo: true, openService: (foundation) => openService(foundation, platform) });
