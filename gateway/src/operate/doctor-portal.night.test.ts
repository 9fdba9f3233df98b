import { randomBytes } from "node:crypto";
import { type Socket, connect, createServer } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { PortalProcess, temporaryFolder } from "#testing/portal-process.ts";
import { testDatabaseForOneTest } from "#testing/postgres.ts";
import { preparedHome } from "#testing/prepared-postgres.ts";
import { doctor } from "#testing/run-command.ts";

it("finds nothing wrong with a portal on its own database, whether it is stopped or runs", async () => {
  const home = await preparedHome();
  const stopped = await doctor({ FAIRWAY_HOME: home });
  expect(stopped.findings.filter(({ level }) => level === "problem")).toEqual([]);
  expect(stopped.code).toBe(0);
  expect(stopped.of("database")).toContain("The database of the stopped portal answers: PostgreSQL");
  expect(stopped.of("database", "note")).toMatch(/^The database is empty|^The next start migrates/m);

  const portal = await PortalProcess.start({ FAIRWAY_HOME: home });
  await portal.address();
  const running = await doctor({ FAIRWAY_HOME: home });
  expect(running.of("database")).toContain("The database that the portal runs answers");
  expect(running.of("database", "fine")).toMatch(/^All \d+ migrations are complete\.$/m);
  expect(running.of("folder", "fine")).toContain(`The folder ${home} is writable for this user and closed to others.`);
  expect(running.code).toBe(0);
  // The portal was left alone.
  expect(await portal.stop()).toBe(0);
});

/** A connection pool that loses notifications, as one in transaction mode does. */
async function poolWithoutNotifications(url: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    sockets.add(client).add(upstream);
    for (const socket of [client, upstream]) socket.on("error", () => undefined);
    client.pipe(upstream);
    let rest = Buffer.alloc(0);
    upstream.on("data", (bytes: Buffer) => {
      rest = Buffer.concat([rest, bytes]);
      while (rest.length >= 5 && rest.length >= rest.readUInt32BE(1) + 1) {
        const message = rest.subarray(0, rest.readUInt32BE(1) + 1);
        if (message[0] !== "A".charCodeAt(0)) client.write(message);
        rest = rest.subarray(message.length);
      }
    });
    upstream.on("end", () => client.end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const pool = new URL(url);
  pool.port = String((server.address() as { port: number }).port);
  return pool.href;
}

it("notices a connection pool in transaction mode", async () => {
  const database = await testDatabaseForOneTest();
  const env = { FAIRWAY_HOME: await temporaryFolder(), FAIRWAY_MASTER_KEY: randomBytes(32).toString("hex") };
  expect((await doctor({ ...env, DATABASE_URL: database.url })).of("database", "fine")).toContain(
    "Notifications and locks of sessions work.",
  );
  const { of } = await doctor({ ...env, DATABASE_URL: await poolWithoutNotifications(database.url) });
  expect(of("database", "problem")).toContain("A connection pool in transaction mode");
});
