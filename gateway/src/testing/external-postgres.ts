import { execFile } from "node:child_process";
import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client } from "pg";
import pino from "pino";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "#database/embedded-postgres.ts";
import { copyCluster } from "./copy-cluster.ts";

const run = promisify(execFile);

/** Application name of the tests' own sessions. */
export const testSessionName = "test session";

/** An external PostgreSQL at a stable address that tests can stop, pause, restart and run out of disk space. */
export class ExternalPostgres {
  readonly url: string;
  /** Whether it is on its own small file system, which `fillDisk` can fill. */
  readonly hasOwnDisk: boolean;
  readonly folder: string;
  #server: EmbeddedPostgres;

  private constructor(folder: string, server: EmbeddedPostgres, hasOwnDisk: boolean) {
    this.folder = folder;
    this.#server = server;
    this.url = server.url;
    this.hasOwnDisk = hasOwnDisk;
  }

  /** `cluster` is a stopped data folder to copy; without one, `initdb` creates it. */
  static async start(cluster?: string): Promise<ExternalPostgres> {
    const folder = await mkdtemp(join(tmpdir(), "fairway-outside-"));
    const hasOwnDisk = await run("mount", ["-t", "tmpfs", "-o", "size=160m", "tmpfs", folder]).then(
      () => true,
      () => false,
    );
    if (cluster !== undefined) await copyCluster(cluster, folder);
    return new ExternalPostgres(folder, await startServer(folder), hasOwnDisk);
  }

  /** `fast` ends sessions gracefully, `immediate` aborts them. */
  async stop(how: "fast" | "immediate"): Promise<void> {
    process.kill(await this.#postmaster(), how === "fast" ? "SIGINT" : "SIGQUIT");
    await this.#server.exited;
  }

  async restart(): Promise<void> {
    this.#server = await startServer(this.folder, new URL(this.url).port);
  }

  /** Suspends all server processes: connections stay open, but nothing responds. */
  async pause(): Promise<void> {
    await this.#signalAll("SIGSTOP");
  }

  async resume(): Promise<void> {
    await this.#signalAll("SIGCONT");
  }

  /** Fills the disk and removes the relation cache files, so that no new session can start. Returns a function that frees the space. */
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
        // Frees a partly written file, so that smaller ones can fill the space completely.
        if (!isTaken && size > 512) await rm(file);
      }
    }
    return async () => {
      await Promise.all(fillers.map((file) => rm(file, { force: true })));
    };
  }

  /** A session of the test's own. */
  async session(): Promise<Client> {
    const client = new Client({ connectionString: this.url, application_name: testSessionName });
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
    // The postmaster first: it must not notice that its children are signaled.
    for (const pid of [main, ...children.trim().split(" ").map(Number)]) process.kill(pid, signal);
  }
}

const startServer = (folder: string, port?: string): Promise<EmbeddedPostgres> =>
  startEmbeddedPostgres({
    folder,
    log: pino({ level: "silent" }),
    settings: { max_connections: "30", shared_buffers: "16MB", max_wal_size: "32MB", ...(port === undefined ? {} : { port }) },
  });
