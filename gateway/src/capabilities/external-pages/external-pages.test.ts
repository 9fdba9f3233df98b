import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import type { ExternalView } from "@fairway/contract/external-pages";
import { expect, it, onTestFinished } from "vitest";
import { AddressPolicy } from "#outbound/address-policy.ts";
import { operatorSettings } from "#config/settings-file.ts";
import { identityApp, someAccounts } from "#testing/identity-app.ts";
import { adaAndGrace } from "#testing/signed-in.ts";
import { openExternalPages } from "./capability.ts";
import { refusesFrame } from "./framing.ts";

/** A site whose pages answer the headers in their path, and the number of its calls. */
async function site(headersByPath: Readonly<Record<string, Record<string, string>>>) {
  const calls: string[] = [];
  const server = createServer((request, response) => {
    calls.push(request.url ?? "");
    const headers = headersByPath[request.url ?? ""] ?? {};
    response.writeHead("location" in headers ? 302 : 200, headers).end("<p>A page");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { calls, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

it("[EXTVIEW-04] [EXTVIEW-06] a page is known only to holders of its role, with whether it can be framed", async () => {
  const { calls, origin } = await site({ "/closed": { "x-frame-options": "DENY" }, "/moved": { location: "/closed" } });
  const page = (name: string, role: string, path: string, more = {}) => ({
    name,
    displayName: name,
    role,
    navBar: "docs",
    url: `${origin}${path}`,
    ...more,
  });
  const { externalPages } = operatorSettings.parse({
    externalPages: [
      page("wiki", "*", "/open"),
      page("status", "reader", "/moved", { allowSameOrigin: true }),
      { ...page("cloud", "*", ""), url: "http://169.254.169.254/latest" },
    ],
  });
  const gateway = await identityApp({
    accounts: someAccounts,
    capabilities: ({ log }) => [openExternalPages({ pages: externalPages, addresses: new AddressPolicy(["127.0.0.1"]), log })],
  });
  const get = (token: string, name: string) => gateway.call<ExternalView>("GET", `/externalPages/${name}`, { token });
  const { ada, grace } = await adaAndGrace(gateway, (token) => token);

  expect((await get(grace, "wiki")).body).toEqual({ url: `${origin}/open`, role: "*", allowSameOrigin: false, framing: "allowed" });
  expect((await get(ada, "status")).body).toEqual({ url: `${origin}/moved`, role: "reader", allowSameOrigin: true, framing: "refused" });
  for (const name of ["status", "nothing"]) expect((await get(grace, name)).status).toBe(404);
  expect((await gateway.call("GET", "/externalPages/wiki")).status).toBe(401);

  await get(ada, "status");
  expect(calls).toEqual(["/open", "/moved", "/closed"]);
  // Never called: the address is one that the portal does not call.
  expect((await get(ada, "cloud")).body.framing).toBe("unknown");
});

it.each([
  [{}, false],
  [{ "x-frame-options": "deny" }, true],
  [{ "x-frame-options": "SAMEORIGIN" }, true],
  [{ "x-frame-options": "ALLOW-FROM https://data.example.org" }, false],
  [{ "content-security-policy": "default-src 'self'" }, false],
  [{ "content-security-policy": "frame-ancestors 'none'" }, true],
  [{ "content-security-policy": "frame-ancestors" }, true],
  [{ "content-security-policy": "frame-ancestors 'self'" }, true],
  [{ "content-security-policy": "Frame-Ancestors https://data.example.org", "x-frame-options": "deny" }, false],
  [{ "content-security-policy": "frame-ancestors https://*.example.org" }, false],
  [{ "content-security-policy": "frame-ancestors https://*.example.com:8443" }, true],
  [{ "content-security-policy": "frame-ancestors http://data.example.org:*" }, false],
  [{ "content-security-policy": "frame-ancestors https:" }, false],
  [{ "content-security-policy": "frame-ancestors *, frame-ancestors 'none'" }, true],
])("a page with %o refuses frames: %s", (headers, refused) => {
  expect(refusesFrame(headers, new URL("https://wiki.example.net/"), "https://data.example.org")).toBe(refused);
});
