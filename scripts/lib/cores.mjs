// @ts-check
import { availableParallelism } from "node:os";

/**
 * Threads for one of two commands that run at the same time. Every further thread that checks types infers the types of shared
 * modules again: on two cores, the compiler's four take 1.6 times the CPU of one, and the linter's two take 1.3 times.
 */
export const halfOfTheCores = String(Math.max(1, Math.floor(availableParallelism() / 2)));
