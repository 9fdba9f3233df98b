import { execFile } from "node:child_process";
import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client } from "pg";
import pino from "pino";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "#database/embedded-postgres.ts";

const run = promisify(execFile);

/** Names the sessions of tests. */
export const besideThePortal = "beside the portal";

/** A PostgreSQL that is not the portal's own, at an address that stays the same, with everything that may happen to one. */
export class OutsidePostgres {
  readonly url: string;
  /** Whether it lies on a small file system of its own, which `fillDisk` can fill. */
  readonly hasOwnDisk: boolean;
  readonly folder: string;
  #server: EmbeddedPostgres;

  private constructor(folder: string, server: EmbeddedPostgres, hasOwnDisk: boolean) {
    this.folder = folder;
    this.#server = server;
    this.url = server.url;
    this.hasOwnDisk = hasOwnDisk;
  }

  static async start(): Promise<OutsidePostgres> {
    const folder = await mkdtemp(join(tmpdir(), "fairway-outside-"));
    const hasOwnDisk = await run("mount", ["-t", "tmpfs", "-o", "size=160m", "tmpfs", folder]).then(
      () => true,
      () => false,
    );
    return new OutsidePostgres(folder, await startServer(folder), hasOwnDisk);
  }

  /** `fast` ends the sessions in good order, `immediate` breaks them off. */
  async stop(how: "fast" | "immediate"): Promise<void> {
    process.kill(await this.#postmaster(), how === "fast" ? "SIGINT" : "SIGQUIT");
    await this.#server.exited;
  }

  async startAgain(): Promise<void> {
    this.#server = await startServer(this.folder, new URL(this.url).port);
  }

  /** Stops the server in the middle of what it does: it stays connected and says nothing. */
  async pause(): Promise<void> {
    await this.#signalAll("SIGSTOP");
  }

  async resume(): Promise<void> {
    await this.#signalAll("SIGCONT");
  }

  /** No byte is left, and without the files of its start no new session can begin. Answers a function that makes room again. */
  async fillDisk(): Promise<() => Promise<void>> {
    const data = join(this.folder, "data");
    const files = await readdir(data, { recursive: true });
    await Promise.all(files.filter((file) => file.endsWith("pg_internal.init")).map((file) => rm(join(data, file))));
    const fillers: string[] = [];
    for (let size = 64 * 1_048_576; size >= 512; size /= 2) {
      for (let isTaken = true; isTaken;) {
        const file = join(this.folder, `filler-${fillers.length}`);
        fillers.push(file);
        isTaken = await writeFile(file, Buffer.alloc(size)).then(
          () => true,
          () => false,
        );
        // What was begun keeps no room that a smaller one could fill.
        if (!isTaken && size > 512) await rm(file);
      }
    }
    return async () => {
      await Promise.all(fillers.map((file) => rm(file, { force: true })));
    };
  }

  /** One session beside the portal's. */
  async session(): Promise<Client> {
    const client = new Client({ connectionString: this.url, application_name: besideThePortal });
    client.on("error", () => undefined);
    await client.connect();
    return client;
  }

  async end(): Promise<void> {
    await this.#server.stop();
    if (this.hasOwnDisk) await run("umount", [this.folder]);
    await rm(this.folder, { recursive: true, force: true });
  }

  async #postmaster(): Promise<number> {
    return Number((await readFile(join(this.folder, "data/postmaster.pid"), "utf8")).split("\n")[0]);
  }

  async #signalAll(signal: NodeJS.Signals): Promise<void> {
    const main = await this.#postmaster();
    const children = await readFile(`/proc/${main}/task/${main}/children`, "utf8");
    // The main process first: it must not notice what happens to the others.
    for (const pid of [main, ...children.trim().split(" ").map(Number)]) process.kill(pid, signal);
  }
}

const startServer = (folder: string, port?: string): Promise<EmbeddedPostgres> =>
  startEmbeddedPostgres({
    folder,
    log: pino({ level: "silent" }),
    settings: { max_connections: "30", shared_buffers: "16MB", max_wal_size: "32MB", ...(port === undefined ? {} : { port }) },
  });
