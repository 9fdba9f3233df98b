/** Prefixes every path of the gateway. Web and API share one origin. */
export const apiBase = "/api";

/** The demo accounts' one password. Demo mode listens on loopback only. */
export const demoPassword = "fairway-demo";
