import { vi } from "vitest";

// Setup file of every test: accounts are made by the hundred, and nothing in them depends on the price of a guess.
vi.mock("#identity/password-cost.ts", () => ({ passwordCost: { memoryCost: 8, timeCost: 1, parallelism: 1 } }));
