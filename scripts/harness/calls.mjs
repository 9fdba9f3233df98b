// @ts-check

const callMs = 60_000;

/** @typedef {{ status: number, text: string, json: any, headers: Headers }} Answer */

/**
 * Calls a gateway or a balancer.
 * @param {string} origin
 * @param {string} method
 * @param {string} path below /api
 * @param {{ token?: string, key?: string, body?: unknown, raw?: string, timeoutMs?: number, keepsConnection?: boolean }} [options] `body` is
 * sent as JSON, or as a form; `raw` as it is. Each call has a connection of its own unless `keepsConnection`.
 * @returns {Promise<Answer>}
 */
export async function call(origin, method, path, { token, key, body, raw, timeoutMs = callMs, keepsConnection = false } = {}) {
  const startedMs = performance.now();
  const failed = (/** @type {unknown} */ error) => {
    const reason = error instanceof Error ? (error.cause instanceof Error ? error.cause.message : error.message) : String(error);
    throw new Error(`${method} ${path} failed after ${Math.round(performance.now() - startedMs)} ms: ${reason}`, { cause: error });
  };
  const isForm = body instanceof FormData;
  const response = await fetch(`${origin}/api${path}`, {
    method,
    headers: {
      // Compressing what is read at once on the same machine only takes time.
      ...(keepsConnection ? {} : { connection: "close", "accept-encoding": "identity" }),
      ...(body === undefined || isForm ? {} : { "content-type": "application/json" }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(key === undefined ? {} : { "x-api-key": key }),
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    ...(raw === undefined ? {} : { body: raw }),
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(failed);
  const text = await response.text().catch(failed);
  const isJson = response.headers.get("content-type")?.includes("json") ?? false;
  return { status: response.status, text, json: isJson ? JSON.parse(text) : undefined, headers: response.headers };
}

/**
 * Makes a call that must succeed, and resolves with its JSON.
 * @param {Parameters<typeof call>} args
 */
export async function expectCall(...args) {
  const { status, text, json } = await call(...args);
  if (status >= 300) throw new Error(`${args[1]} ${args[2]} answered ${status}: ${text.slice(0, 500)}`);
  return json;
}

/**
 * @param {string} origin
 * @param {string} username
 * @param {string} password
 * @returns {Promise<string>} an access token
 */
export async function signIn(origin, username, password) {
  return (await expectCall(origin, "POST", "/auth/login", { body: { username, password } })).token.access_token;
}
