import { describe, expect, it } from "vitest";
import { cacSettings, expectsIdToken } from "./cac-settings.ts";

const least = { clientId: "portal", authUrl: "https://cards.example.org/authorize", issuer: "https://cards.example.org" };

describe("the card issuer", () => {
  it("[CAC-14] is described by the operator; scope and domain are the usual ones unless said otherwise", () => {
    const settings = cacSettings.parse(least);
    expect(settings).toMatchObject({ scope: "UserProfile.me", domain: "DefaultDomain", subjectClaim: "sub", pkce: true });
    expect(expectsIdToken(settings)).toBe(true);
  });

  it("that is no OpenID Connect provider is asked at two addresses, and for no ID token", () => {
    const { issuer: _, ...plain } = least;
    expect(cacSettings.safeParse(plain).success).toBe(false);
    const settings = cacSettings.parse({
      ...plain,
      tokenUrl: "https://cards.example.org/token",
      userInfoUrl: "https://cards.example.org/me",
    });
    expect(expectsIdToken(settings)).toBe(false);
  });

  it.each([
    ["an address without https", { authUrl: "http://cards.example.org/authorize" }],
    ["a script", { authUrl: "javascript:alert(1)" }],
    ["an address with a password", { authUrl: "https://me:secret@cards.example.org/" }],
    ["an unknown field", { clientID: "portal" }],
    ["no client", { clientId: "" }],
  ])("that has %s is refused", (_what, wrong) => {
    expect(cacSettings.safeParse({ ...least, ...wrong }).success).toBe(false);
  });

  it("may be on this machine without https", () => {
    for (const host of ["127.0.0.1", "localhost", "[::1]"]) {
      expect(cacSettings.safeParse({ ...least, authUrl: `http://${host}:9000/auth` }).success).toBe(true);
    }
  });
});
