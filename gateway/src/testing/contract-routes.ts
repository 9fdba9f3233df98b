import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { RouteShape } from "@fairway/contract/route";

const contract = join(import.meta.dirname, "../../../contract/src");

const isRoute = (value: unknown): value is RouteShape =>
  typeof value === "object" && value !== null && "access" in value && "path" in value;

/** Every route of the contract. */
export async function contractRoutes(): Promise<RouteShape[]> {
  const files = readdirSync(contract).filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));
  const modules = await Promise.all(files.map((file) => import(join(contract, file)) as Promise<Record<string, unknown>>));
  return modules
    .flatMap((module) => Object.values(module))
    .flatMap((group): unknown[] => (typeof group === "object" && group !== null ? Object.values(group) : []))
    .filter(isRoute);
}
