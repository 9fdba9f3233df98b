// @ts-check
// nginx or HAProxy in place of this folder's balancer, which spread requests instead of connections. They add no headers about the
// caller, so demo accounts can sign in through them.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "../lib/failure.mjs";
import { startServer } from "../lib/processes.mjs";
import { hasProgram } from "../lib/programs.mjs";

/** @typedef {{ port: number, gatewayPorts: readonly number[], folder: string }} ProxyOptions */

/** As the operator guide advises for event streams and uploads: bodies and answers pass as they come. */
const nginxSettings = (/** @type {ProxyOptions} */ { port, gatewayPorts, folder }) => `
daemon off;
pid ${folder}/pid;
error_log ${folder}/errors;
${process.getuid?.() === 0 ? "user root;" : ""}
events { worker_connections 4096; }
http {
  log_format gateway '$upstream_addr';
  access_log ${folder}/requests gateway;
  ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(" ")}
  client_max_body_size 0;
  upstream gateways {
    ${gatewayPorts.map((gateway) => `server 127.0.0.1:${gateway};`).join(" ")}
    keepalive 32;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://gateways;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_request_buffering off;
      proxy_read_timeout 1h;
    }
  }
}
`;

/** A gateway that refuses connections is passed over at once, one that is only slow is not: without a limit of its own, a check fails after its interval. */
const haproxySettings = (/** @type {ProxyOptions} */ { port, gatewayPorts }) => `
global
  maxconn 2000
  log stdout format raw local0 info
defaults
  mode http
  log global
  log-format "%si:%sp"
  timeout connect 5s
  timeout check 10s
  timeout client 1h
  timeout server 1h
  option redispatch
frontend portal
  bind 127.0.0.1:${port}
  default_backend gateways
backend gateways
  balance roundrobin
  option httpchk GET /api/health/ready
  ${gatewayPorts.map((gateway) => `server gateway-${gateway} 127.0.0.1:${gateway} check inter 500ms`).join("\n  ")}
`;

/** @type {Readonly<Record<string, { settings: (options: ProxyOptions) => string, args: (file: string) => string[], requests: string }>>} */
const proxies = {
  nginx: { settings: nginxSettings, args: (file) => ["-c", file], requests: "requests" },
  haproxy: { settings: haproxySettings, args: (file) => ["-db", "-f", file], requests: "output" },
};

/**
 * @param {string} name
 * @param {ProxyOptions} options
 */
export async function startProxy(name, { port, gatewayPorts, folder }) {
  const proxy = proxies[name];
  if (proxy === undefined) throw new Failure(`--balancer takes ${Object.keys(proxies).join(" or ")}.`);
  if (!(await hasProgram(name))) throw new Failure(`${name} is not installed.`);
  await mkdir(folder, { recursive: true });
  const file = join(folder, "settings");
  await writeFile(file, proxy.settings({ port, gatewayPorts, folder }));
  const { stop } = await startServer({
    title: name,
    command: [name, ...proxy.args(file)],
    cwd: folder,
    env: {},
    output: join(folder, "output"),
    // Also with an error of its own, while no gateway is up.
    isReady: () =>
      fetch(`http://127.0.0.1:${port}/`).then(
        () => true,
        () => false,
      ),
    minutes: 1,
  });
  return {
    port,
    /** Requests that each gateway has got, by its port. @returns {Promise<Map<number, number>>} */
    async accepted() {
      const lines = (await readFile(join(folder, proxy.requests), "utf8")).split("\n");
      const counts = gatewayPorts.map((gateway) => [gateway, lines.filter((line) => line.endsWith(`:${gateway}`)).length]);
      return new Map(/** @type {[number, number][]} */ (counts.filter(([, count]) => count !== 0)));
    },
    close: stop,
  };
}
