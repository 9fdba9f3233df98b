import { runPortal } from "#portal/portal-process.ts";
import { openService } from "#portal/service.ts";

/** Entry point of a whole portal process without the web app, for tests that need a second gateway or kill one. */
await runPortal({
  demo: false,
  openService: (foundation) => openService({ ...foundation, config: { ...foundation.config, webRoot: null } }),
});
