import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { PortalProcess } from "#testing/portal-process.ts";
import { preparedHome } from "#testing/prepared-postgres.ts";

/** Writes until the portal stops responding and returns the acknowledged ids. Calls `onEnough` after 200 of them. */
async function writeUntilEnd(address: string, from: number, onEnough: () => void): Promise<number[]> {
  const acknowledged: number[] = [];
  const writer = async (first: number) => {
    for (let id = first; ; id += 4) {
      const answer = await fetch(`${address}/ids/${id}`, { method: "POST" }).catch(() => undefined);
      if (answer?.ok !== true) return;
      acknowledged.push(id);
      if (acknowledged.length === 200) onEnough();
    }
  };
  await Promise.all([0, 1, 2, 3].map((offset) => writer(from + offset)));
  return acknowledged;
}

async function storedIds(address: string): Promise<Set<number>> {
  const answer = await fetch(`${address}/ids`);
  return new Set((await answer.json()) as number[]);
}

it("loses no acknowledged row and restarts after the portal or the database is killed with SIGKILL", async () => {
  const home = await preparedHome();
  const acknowledged: number[] = [];
  for (const victim of ["portal", "database"] as const) {
    const portal = await PortalProcess.start({ FAIRWAY_HOME: home });
    const address = await portal.address();
    const stored = await storedIds(address);
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
    const [postmaster] = (await readFile(join(home, "postgres/data/postmaster.pid"), "utf8")).split("\n");
    const kill = () => process.kill(victim === "portal" ? (portal.child.pid ?? 0) : Number(postmaster), "SIGKILL");
    acknowledged.push(...(await writeUntilEnd(address, Math.max(0, ...acknowledged) + 10, kill)));
    const code = await portal.ended;
    expect([code, portal.errors.trim()]).toEqual(
      victim === "portal" ? [null, ""] : [1, "The database process ended unexpectedly; nothing that was saved is lost."],
    );
  }
  const last = await PortalProcess.start({ FAIRWAY_HOME: home });
  const stored = await storedIds(await last.address());
  expect(acknowledged.length).toBeGreaterThanOrEqual(400);
  expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
  expect(await last.stop()).toBe(0);
}, 240_000);
