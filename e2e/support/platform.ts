import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// Chosen by the first process that reads the configuration and inherited by its workers.
process.env["FAIRWAY_E2E_PORT"] ??= String(20_000 + Math.floor(Math.random() * 20_000));
process.env["FAIRWAY_E2E_HOME"] ??= mkdtempSync(join(tmpdir(), "fairway-journeys-"));

export const port = Number(process.env["FAIRWAY_E2E_PORT"]);
export const homeFolder = process.env["FAIRWAY_E2E_HOME"];
