import { hash } from "@node-rs/argon2";
import { expect, it, vi } from "vitest";
import { PasswordCheck, hashPassword, isOutdated } from "./passwords.ts";

// Uses the real cost.
vi.unmock("#identity/password-cost.ts");

it("hashes with Argon2id, 19 MiB, two passes and a random salt", async () => {
  const [first, second] = await Promise.all([hashPassword("secret"), hashPassword("secret")]);
  expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(first).not.toBe(second);
});

it("matches the password regardless of its Unicode composition", async () => {
  const check = await PasswordCheck.open(1);
  const stored = await hashPassword("Zo\u00eb");
  expect(await check.matches(stored, "Zoe\u0308")).toBe(true);
  expect(await check.matches(stored, "Zoe")).toBe(false);
});

it("never matches an account without a password", async () => {
  const check = await PasswordCheck.open(1);
  expect(await check.matches(null, "")).toBe(false);
  expect(await check.matches(undefined, "secret")).toBe(false);
});

it("recognizes hashes with weaker parameters", async () => {
  expect(isOutdated(await hashPassword("secret"))).toBe(false);
  expect(isOutdated(await hash("secret", { memoryCost: 8_192, timeCost: 2, parallelism: 1 }))).toBe(true);
  expect(isOutdated(await hash("secret", { memoryCost: 19_456, timeCost: 1, parallelism: 1 }))).toBe(true);
  expect(isOutdated((await hashPassword("secret")).replace("argon2id", "argon2i"))).toBe(true);
  expect(isOutdated(await hash("secret", { memoryCost: 65_536, timeCost: 3, parallelism: 4 }))).toBe(false);
});
