import { afterEach, expect, it, vi } from "vitest";
import { canUsePasskey, passkeyProblem } from "./passkeys.ts";

const request = {
  challenge: "aaaa",
  rpId: "portal.example",
  allowCredentials: [],
  userVerification: "preferred" as const,
  timeout: 60_000,
};

function openAt(hostname: string, { isSecureContext = true } = {}): void {
  vi.stubGlobal("location", { hostname });
  vi.stubGlobal("isSecureContext", isSecureContext);
  vi.stubGlobal("PublicKeyCredential", {});
}

afterEach(() => {
  vi.unstubAllGlobals();
});

it("passkeys work at a host name over https, and only those of that host", () => {
  openAt("portal.example");
  expect(passkeyProblem()).toBeNull();
  expect(canUsePasskey(request)).toBe(true);
  expect(canUsePasskey({ ...request, rpId: "other.example" })).toBe(false);
  expect(canUsePasskey(null)).toBe(false);
});

it.each(["127.0.0.1", "[::1]"])("passkeys do not work at the IP address %s", (hostname) => {
  openAt(hostname);
  expect(passkeyProblem()).toMatch(/^Passkeys need https and a host name, or localhost\./);
  expect(canUsePasskey({ ...request, rpId: hostname })).toBe(false);
});

it("passkeys do not work without https", () => {
  openAt("portal.example", { isSecureContext: false });
  expect(passkeyProblem()).toMatch(/^Passkeys need https/);
});
