// @ts-check
// Setup file of every test: `vi.waitFor` and `vi.waitUntil` give up after a second unless they are told otherwise, which makes a
// busy machine a failure. They wait as long as `expect.poll` of screens.
import { vi } from "vitest";

const timeout = 15_000;
const { waitFor, waitUntil } = vi;

/** @param {Parameters<typeof waitFor>[1]} options */
const patient = (options = {}) => (typeof options === "number" ? options : { timeout, ...options });

vi.waitFor = (check, options) => waitFor(check, patient(options));
vi.waitUntil = (check, options) => waitUntil(check, patient(options));
