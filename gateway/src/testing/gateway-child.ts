import { runPortal } from "#portal-process.ts";
import { openService } from "#service.ts";

/** A whole portal process without pages, for tests that need a second gateway or kill one: `node … gateway-child.ts`. */
await runPortal({
  demo: false,
  openService: (foundation) => openService({ ...foundation, config: { ...foundation.config, webRoot: null } }),
});
