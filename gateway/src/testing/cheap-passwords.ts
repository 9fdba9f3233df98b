import { vi } from "vitest";

// Setup file of every test: tests create hundreds of accounts, and none depends on the cost of hashing.
vi.mock("#identity/password-cost.ts", () => ({ passwordCost: { memoryCost: 8, timeCost: 1, parallelism: 1 } }));
