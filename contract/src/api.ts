/** Prefix of every gateway path. Web app and API share one origin. */
export const apiBase = "/api";

/** Shared password of the demo accounts. Demo mode listens on loopback only. */
export const demoPassword = "fairway-demo";
