import { expect, it } from "vitest";
import { relyingPartyOf } from "./relying-party.ts";

const data = { id: "data.example.org", origin: "https://data.example.org" };

it.each([
  ["https with a host name", "https://data.example.org", undefined, data],
  ["https with a port", "https://data.example.org:8443", undefined, { id: data.id, origin: "https://data.example.org:8443" }],
  ["an explicit standard port", "https://data.example.org:443", undefined, data],
  ["localhost over http", "http://localhost:8080", undefined, { id: "localhost", origin: "http://localhost:8080" }],
  ["http elsewhere", "http://data.example.org", undefined, undefined],
  ["an IPv4 address", "http://127.0.0.1:8080", undefined, undefined],
  ["an IPv4 address over https", "https://192.0.2.1", undefined, undefined],
  ["no host at all", "http://", undefined, undefined],
  ["an invalid port", "https://data.example.org:99999", undefined, undefined],
  ["an IPv6 address", "http://[::1]:8080", undefined, undefined],
  ["a proxy that terminates TLS without forwarding the scheme", "http://data.example.org", "https://data.example.org", data],
  ["a proxy that replaces the host", "http://10.0.0.5:8080", "https://data.example.org", data],
  ["localhost in addition to a public URL", "http://localhost:8080", data.origin, { id: "localhost", origin: "http://localhost:8080" }],
  [
    "another host in addition to a public URL",
    "https://other.example.org",
    data.origin,
    { id: "other.example.org", origin: "https://other.example.org" },
  ],
  ["a public URL that does not support passkeys", "https://data.example.org", "http://192.0.2.1", data],
])("passkeys at %s are bound to the host that the browser uses", (_, requested, publicUrl, expected) => {
  expect(relyingPartyOf(requested, publicUrl)).toEqual(expected);
});
