import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { connectDatabase, type DatabaseConnection } from "#database/connection.ts";
import type { GuardedPool } from "#database/guarded-pool.ts";

/** The connection of one gateway to a real PostgreSQL, which a test can cut and restore. */
export interface CuttableDatabase {
  readonly connection: DatabaseConnection;
  /** Of further connections that are cut with it. */
  readonly url: string;
  /** Number of its sessions at the server. A statement under way when it is cut may be executed until there are none. */
  sessionCount(pool: Pick<GuardedPool, "query">): Promise<number | null>;
  /** Connections that were refused while it was cut. */
  readonly refused: number;
  cut(): void;
  restore(): void;
  close(): Promise<void>;
}

export async function cuttableDatabase(url: string): Promise<CuttableDatabase> {
  const { hostname, port } = new URL(url);
  const open = new Set<Socket>();
  let isCut = false;
  let refused = 0;
  const server = createServer((socket) => {
    if (isCut) {
      refused += 1;
      socket.destroy();
      return;
    }
    const upstream = connect(Number(port), hostname);
    for (const [one, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      open.add(one);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        open.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const cuttable = new URL(url);
  cuttable.port = String((server.address() as AddressInfo).port);
  const sessions = `cuttable ${randomUUID()}`;
  cuttable.searchParams.set("application_name", sessions);
  const connection = connectDatabase(cuttable.href, { maxConnections: 3 });
  return {
    connection,
    url: cuttable.href,
    sessionCount: async (pool) => (await pool.query("select from pg_stat_activity where application_name = $1", [sessions])).rowCount,
    get refused() {
      return refused;
    },
    cut: () => {
      isCut = true;
      for (const socket of open) socket.destroy();
    },
    restore: () => (isCut = false),
    close: async () => {
      await connection.close();
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}
