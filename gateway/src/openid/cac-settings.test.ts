import { describe, expect, it } from "vitest";
import { cacSettings, expectsIdToken } from "./cac-settings.ts";

const minimal = { clientId: "portal", authUrl: "https://cards.example.org/authorize", issuer: "https://cards.example.org" };

describe("the settings of the card issuer", () => {
  it("[CAC-14] default to the usual scope and domain", () => {
    const settings = cacSettings.parse(minimal);
    expect(settings).toMatchObject({ scope: "UserProfile.me", domain: "DefaultDomain", subjectClaim: "sub", pkce: true });
    expect(expectsIdToken(settings)).toBe(true);
  });

  it("need two URLs and expect no ID token if there is no OpenID Connect issuer", () => {
    const { issuer: _, ...plain } = minimal;
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
  ])("with %s are refused", (_what, invalid) => {
    expect(cacSettings.safeParse({ ...minimal, ...invalid }).success).toBe(false);
  });

  it("may name addresses of this machine without https", () => {
    for (const host of ["127.0.0.1", "localhost", "[::1]"]) {
      expect(cacSettings.safeParse({ ...minimal, authUrl: `http://${host}:9000/auth` }).success).toBe(true);
    }
  });
});
