import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** Origins that the configuration allows. None by default. */
export interface AllowedOrigins {
  readonly frames: readonly string[];
  /** Sources of map tiles. */
  readonly tiles: readonly string[];
  /** Stores that browsers upload to. */
  readonly uploads: readonly string[];
}

/** Of scripts of the web app. Only workers heed it: they may load further scripts of ours, such as a decoder, and nothing else. */
export const scriptPolicy = "default-src 'none'; script-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

const apiPolicy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

const defaultHeaders = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "content-security-policy": apiPolicy,
  "cache-control": "no-store",
} as const;

/** Sets the strictest policy and forbids caching by default. Pages and files override these headers. Decision 0004. */
export function installSecurityHeaders(app: FastifyInstance): void {
  app.addHook("onRequest", (request, reply, done) => {
    setSecurityHeaders(request, reply);
    done();
  });
}

/** For responses that bypass the hooks. */
export function setSecurityHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(defaultHeaders);
  reply.header("x-request-id", request.id);
  if (request.protocol === "https") reply.header("strict-transport-security", "max-age=31536000");
}

/** Content security policy of a page: nothing inline, no eval; styles that libraries insert need the page's nonce. */
export function pagePolicy(styleNonce: string, { frames, tiles, uploads }: AllowedOrigins): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${styleNonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src ${["'self'", ...tiles, ...uploads].join(" ")}`,
    "worker-src 'self'",
    "media-src 'self' blob:",
    "manifest-src 'self'",
    `frame-src ${["'self'", ...frames].join(" ")}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join("; ");
}
