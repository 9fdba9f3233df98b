import type * as Argon2 from "@node-rs/argon2";
import { vi } from "vitest";

/** The files of a worker share their modules, so that all of them observe the same function. */
const shared = globalThis as { fairwayObservedVerify?: typeof Argon2.verify };

// Setup file of every test: some count comparisons of passwords, and would need modules of their own otherwise.
vi.mock("@node-rs/argon2", async (importOriginal) => {
  const real = await importOriginal<typeof Argon2>();
  return { ...real, verify: (shared.fairwayObservedVerify ??= vi.fn<typeof Argon2.verify>(real.verify)) };
});
