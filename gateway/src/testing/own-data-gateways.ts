import { randomBytes } from "node:crypto";
import { mkdir, readdir, stat, utimes, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import type { LoginAnswer } from "@fairway/contract/auth";
import type { ErrorBody } from "@fairway/contract/errors";
import type { DataImport, ImportDraft } from "@fairway/contract/imports";
import { PutObjectCommand } from "@aws-sdk/client-s3";
import { Client } from "pg";
import { expect, onTestFinished, vi } from "vitest";
import type { OnClose } from "./identity-app.ts";
import { PortalProcess, temporaryFolder } from "./portal-process.ts";
import { testDatabase } from "./postgres.ts";
import type { S3Server } from "./s3-server.ts";
import { doctor } from "./run-command.ts";

type Method = "GET" | "POST" | "PUT" | "DELETE";

export interface Answer<Body> {
  readonly status: number;
  readonly body: Body;
}

const administrator = { username: "root", password: "turtles all the way" };
/** Accounts that may bring data, besides the administrator. */
const people = { ada: "analytical engine", alan: "universal machine" };
export type Person = "root" | keyof typeof people;

/** Number of the lock that holds up a gateway at a statement. */
const stopLock = 4_711;
/** A gateway that died is missed after 20 seconds; a day, after which what nobody has asked for goes. */
const [minute, day] = ["1 minute", "25 hours"];

/** A whole gateway in a process of its own. */
export class OwnDataGateway {
  /** Of its sessions at the database. */
  readonly name: string;
  readonly process: PortalProcess;
  readonly address: string;
  readonly #tokens: Map<Person, string>;

  constructor(name: string, process: PortalProcess, address: string, tokens: Map<Person, string>) {
    this.name = name;
    this.process = process;
    this.address = address;
    this.#tokens = tokens;
  }

  async call<Body = ErrorBody>(person: Person, method: Method, path: string, body?: unknown): Promise<Answer<Body>> {
    const response = await fetch(`${this.address}/api${path}`, {
      method,
      headers: {
        authorization: `Bearer ${await this.#tokenOf(person)}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: (text === "" ? undefined : JSON.parse(text)) as Body };
  }

  /** Starts an import without sending anything. */
  async start(person: Person, files: Readonly<Record<string, Buffer>>, draft: Partial<ImportDraft> = {}): Promise<DataImport> {
    const named = Object.entries(files).map(([file, content]) => ({ file, size: content.length }));
    const { status, body } = await this.call<DataImport>(person, "POST", "/imports", { files: named, ...draft });
    requireStatus(status, 201, body);
    return body;
  }

  /** Sends one part of a file, and returns the status of the answer. */
  async sendPart(person: Person, { id, files }: DataImport, number: number, part: number, content: Buffer): Promise<number> {
    const file = files.find((one) => one.number === number);
    const { body } = await this.call<{ uploadUrl: string }>(person, "GET", `/imports/${id}/files/${number}/parts/${part}`);
    const partBytes = file?.partBytes ?? content.length;
    const bytes = content.subarray((part - 1) * partBytes, part * partBytes);
    const response = await fetch(`${this.address}${body.uploadUrl}`, { method: "PUT", body: new Uint8Array(bytes) });
    await response.text();
    return response.status;
  }

  /** Starts an import, and sends all of it. */
  async upload(person: Person, files: Readonly<Record<string, Buffer>>, draft: Partial<ImportDraft> = {}): Promise<DataImport> {
    const started = await this.start(person, files, draft);
    for (const { number, file, size, partBytes } of started.files) {
      for (let part = 1; part === 1 || (part - 1) * partBytes < size; part += 1)
        requireStatus(await this.sendPart(person, started, number, part, files[file] ?? Buffer.alloc(0)), 204);
    }
    return started;
  }

  /** The same, and waits until it has been read. */
  async read(person: Person, files: Readonly<Record<string, Buffer>>, draft: Partial<ImportDraft> = {}): Promise<DataImport> {
    const { id } = await this.upload(person, files, draft);
    requireStatus((await this.call(person, "POST", `/imports/${id}/complete`)).status, 202);
    return this.settled(person, id);
  }

  /** Waits until nothing is done for the import any more. */
  settled(person: Person, id: string): Promise<DataImport> {
    return vi.waitFor(
      async () => {
        const { status, body } = await this.call<DataImport>(person, "GET", `/imports/${id}`);
        requireStatus(status, 200, body);
        if (!["ready", "failed", "done"].includes(body.status)) throw new Error(`the import is still ${body.status}`);
        return body;
      },
      { timeout: 60_000, interval: 50 },
    );
  }

  /** Makes a dataset of a file. */
  async dataset(person: Person, name: string, content: Buffer): Promise<DataImport> {
    const { id } = await this.read(person, { [`${name}.csv`]: content });
    requireStatus((await this.call(person, "POST", `/imports/${id}/dataset`, { name, acceptAssumed: true })).status, 202);
    return this.settled(person, id);
  }

  /** Rows of a dataset; the status of the refusal if it cannot be read. */
  async count(person: Person, name: string): Promise<number> {
    const { status, body } = await this.call<{ rows: number }>(person, "POST", `/datasets/~${person}/${name}/rowCount`, {});
    return status === 200 ? body.rows : -status;
  }

  async #tokenOf(person: Person): Promise<string> {
    const known = this.#tokens.get(person);
    if (known !== undefined) return known;
    const password = person === "root" ? administrator.password : people[person];
    const response = await fetch(`${this.address}/api/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username: person, password }),
    });
    const { token } = (await response.json()) as LoginAnswer;
    this.#tokens.set(person, token.access_token);
    return token.access_token;
  }
}

export interface OwnDataGatewaysOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** The folder that the gateways share. Default: a new one. */
  readonly home?: string;
  readonly onClose?: OnClose;
  /** Where new files are stored. Default: on the disk. */
  readonly bucket?: { readonly server: S3Server; readonly name: string };
}

/** Gateways in processes of their own that share a database and a folder, for tests that kill them. */
export async function ownDataGateways({ env = {}, home: given, onClose = onTestFinished, bucket }: OwnDataGatewaysOptions = {}) {
  const home = given ?? (await temporaryFolder(onClose));
  const database = await testDatabase();
  onClose(() => database.destroy());
  const shared = {
    FAIRWAY_HOME: home,
    FAIRWAY_MASTER_KEY: randomBytes(32).toString("hex"),
    FAIRWAY_ADMIN_USERNAME: administrator.username,
    FAIRWAY_ADMIN_PASSWORD: administrator.password,
    FAIRWAY_SETTINGS: JSON.stringify({ ownData: { who: "everyone", ...(bucket && { bucket: bucket.name }) } }),
    ...bucket?.server.env,
    DATABASE_URL: database.url,
    ...env,
  };
  const tokens = new Map<Person, string>();
  const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> => {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    try {
      return (await client.query<Row>(text, values)).rows;
    } finally {
      await client.end();
    }
  };
  let started = 0;
  const start = async (more: Readonly<Record<string, string>> = {}): Promise<OwnDataGateway> => {
    const url = new URL(database.url);
    const name = `gateway ${(started += 1)}`;
    url.searchParams.set("application_name", name);
    const process = await PortalProcess.start({ ...shared, DATABASE_URL: url.href, ...more }, { program: "gateway", onClose });
    return new OwnDataGateway(name, process, await process.address(), tokens);
  };
  const first = await start();
  for (const [username, value] of Object.entries(people)) {
    const password = { setPassword: true, value, requirePasswordChange: false };
    const { status } = await first.call("root", "POST", "/admin/users", { username, password });
    expect(status).toBeLessThan(300);
  }

  if (bucket !== undefined) {
    const { status } = await first.call("root", "POST", "/admin/config", { name: "s3", s3URL: bucket.server.address.url, enabled: true });
    expect(status).toBe(201);
  }

  /** Puts a file into a bucket of filesets, which is made for it. */
  const addFilesetFile = async (name: string, file: string, content: Buffer): Promise<void> => {
    if (bucket !== undefined) {
      await bucket.server.createBucket(name);
      await bucket.server.client.send(new PutObjectCommand({ Bucket: name, Key: file, Body: content }));
      return;
    }
    const folder = join(home, "files", name);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, file), content);
  };

  /** Files below the folder of own data, by their paths. */
  const filesBelow = async (folder: string): Promise<Map<string, number>> => {
    const root = join(home, "own-data", folder);
    const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
    const files = new Map<string, number>();
    for (const entry of entries.filter((one) => !one.isDirectory())) {
      const path = join(entry.parentPath, entry.name);
      files.set(relative(root, path), (await stat(path)).size);
    }
    return files;
  };

  return {
    first,
    home,
    /** The environment of all gateways, and of commands for operators. */
    env: shared,
    start,
    query,
    filesBelow,
    addFilesetFile,
    /** Holds up the next change of a table that meets the condition, in whichever gateway makes it. */
    stopAt: async (table: string, when: "insert" | "update" | "delete", condition = "true") => {
      const client = new Client({ connectionString: database.url });
      client.on("error", () => undefined);
      await client.connect();
      await client.query(`
        create or replace function test_stop() returns trigger language plpgsql as $$ begin
          perform pg_advisory_lock_shared(${stopLock}); perform pg_advisory_unlock_shared(${stopLock});
          if tg_op = 'DELETE' then return old; end if;
          return new;
        end $$`);
      await client.query(`select pg_advisory_lock(${stopLock})`);
      await client.query(
        `create trigger test_stop before ${when} on ${table} for each row when (${condition}) execute function test_stop()`,
      );
      const waiting = `select pid from pg_locks where locktype = 'advisory' and objid = ${stopLock} and not granted`;
      return {
        /** Waits until a gateway has come there. */
        reached: () => vi.waitFor(async () => expect((await client.query(waiting)).rowCount).toBe(1), { timeout: 60_000, interval: 20 }),
        /** Rolls back what was held up, as after the death of its gateway, and lets everything else pass. */
        release: async () => {
          await client.query(`select pg_terminate_backend(pid, 5000) from (${waiting}) held`);
          await client.query(`select pg_advisory_unlock(${stopLock})`);
          await client.query(`drop trigger test_stop on ${table}`);
          await client.end();
        },
        /** The name of the gateway that is held up. */
        held: async (): Promise<string | undefined> =>
          (await client.query<{ name: string }>(`select application_name as name from pg_stat_activity where pid in (${waiting})`)).rows[0]
            ?.name,
      };
    },
    /** Lets other gateways take over what one was working on that is dead. */
    missTheDead: () => query(`update imports set alive_at = alive_at - interval '${minute}'`),
    /** Moves everything a day into the past, for the database as for the folder. */
    passADay: async () => {
      await query(`update imports set used_at = used_at - interval '${day}', created_at = created_at - interval '${day}'`);
      await query(`update imports set alive_at = alive_at - interval '${day}'`);
      await query(
        `update fileset_part_uploads set started_at = started_at - interval '${day}', joining_until = joining_until - interval '${day}'`,
      );
      await query(
        `update own_data_files set added_at = added_at - interval '${day}', dropped_at = dropped_at - interval '${day}', other_at = other_at - interval '${day}'`,
      );
      const past = new Date(Date.now() - 26 * 3_600_000);
      for (const entry of await readdir(join(home, "own-data"), { recursive: true, withFileTypes: true }))
        await utimes(join(entry.parentPath, entry.name), past, past).catch(() => undefined);
    },
    /** Waits until the store has exactly the files that take room, each with the bytes that are counted. */
    balanced: (files?: number) =>
      vi.waitFor(
        async () => {
          const counted = await query<{ key: string; bytes: string }>(
            "select key, bytes::text from own_data_files where dropped_at is null order by key",
          );
          const stored = new Map([...(await filesBelow("kept")), ...((await bucket?.server.objects(bucket.name)) ?? [])]);
          expect(Object.fromEntries(stored)).toEqual(Object.fromEntries(counted.map(({ key, bytes }) => [key, Number(bytes)])));
          if (files !== undefined) expect(stored.size).toBe(files);
        },
        { timeout: 20_000, interval: 200 },
      ),
    /** Waits until nothing unfinished is left. */
    tidy: () =>
      vi.waitFor(
        async () => {
          for (const folder of ["parts", "scratch", "unfinished"])
            expect([folder, [...(await filesBelow(folder)).keys()]]).toEqual([folder, []]);
        },
        { timeout: 20_000, interval: 200 },
      ),
    /** Problems that the command `doctor` finds wrong with own data. */
    problems: async () => {
      const { findings } = await doctor(shared);
      return findings.filter(({ check, level }) => check === "own data" && level !== "fine");
    },
  };
}

function requireStatus(status: number, expected: number, body?: unknown): void {
  if (status !== expected) throw new Error(`the gateway answered ${status} instead of ${expected}: ${JSON.stringify(body)}`);
}
