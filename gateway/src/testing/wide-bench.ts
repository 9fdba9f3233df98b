import { type EngineBench, engineBench } from "../query/duckdb/test-files.ts";

export const opened = {} as { bench: EngineBench };

export async function openWideBench(): Promise<void> {
  opened.bench = await engineBench();
}
