import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { DatabaseConnection } from "#database/connection.ts";
import { type CuttableDatabase, cuttableDatabase } from "./cuttable-database.ts";
import { type TestDatabase, testDatabase } from "./postgres.ts";

/** One run of one item, which lasts until the test ends it. */
export interface HeldWork {
  readonly isInterrupted: boolean;
  readonly finish: () => void;
  readonly fail: () => void;
}

/** The runs under way on all gateways, in the order in which they began. */
export class HeldWorks {
  readonly all: HeldWork[] = [];
  #isOver = false;

  /** The work of a run. Rejects when the test fails it, and when it is interrupted. */
  readonly hold = (signal?: AbortSignal): Promise<void> => {
    if (this.#isOver) return Promise.resolve();
    let end: "finished" | "failed" | "interrupted" | undefined;
    return new Promise((resolve, reject) => {
      const finish = () => {
        end ??= "finished";
        resolve();
      };
      const stop = (how: "failed" | "interrupted") => {
        end ??= how;
        reject(new Error(how));
      };
      const interrupt = () => stop("interrupted");
      this.all.push({
        get isInterrupted() {
          return end === "interrupted";
        },
        finish,
        fail: () => stop("failed"),
      });
      if (signal?.aborted === true) interrupt();
      signal?.addEventListener("abort", interrupt);
    });
  };

  /** Ends what is held, and holds nothing any more. */
  end(): void {
    this.#isOver = true;
    for (const { finish } of this.all) finish();
  }
}

/** The background work of one gateway. It looks for more only on request. */
export interface JobGateway {
  readonly running: number;
  /** Orders the item. Only where calls start work; may be refused. */
  order?(): Promise<void>;
  /** Looks for what is due or abandoned, and resolves once that has started or ended. */
  wake(): Promise<unknown>;
  close(): Promise<void>;
}

/** How a kind differs from others. */
export interface JobTraits {
  readonly leaseSeconds: number;
  /** The fate of the item of a gateway that was killed. */
  readonly afterCrash: "repeated" | "failed";
  /** The fate of the item of a gateway that stops. */
  readonly onClose: "released" | "failed" | "finished";
  /** Whether the lease is renewed. Default: it outlasts the run. */
  readonly isRenewed?: boolean;
  /** The fate of a result after the lease. Default: ignored. */
  readonly onLate?: "ignored" | "counts until repeated";
  /** The fate of a run whose item was taken away: its next renewal fails, or only its result does not count. */
  readonly onCancel: "interrupted" | "ignored" | "cannot be canceled";
}

/** A kind of background work with one item. */
export interface JobsUnderTest {
  open(database: DatabaseConnection, works: HeldWorks): Promise<JobGateway> | JobGateway;
  /** Makes the item due. Where calls start work: prepares what they need. */
  add(): Promise<unknown>;
  /** As if so many seconds had passed. */
  age(seconds: number): Promise<unknown>;
  outcome(): Promise<"open" | "done" | "failed">;
  /** All that is stored about the item. */
  rows(): Promise<unknown>;
  /** The lease as it is stored, where it is renewed. */
  lease?(): Promise<unknown>;
  /** Takes the item from its gateway. */
  cancel?(gateway: JobGateway): Promise<unknown>;
  /** Removes the item. */
  clear(): Promise<unknown>;
}

const patience = { timeout: 60_000, interval: 10 };

/** The proofs of every kind of background work, on a real PostgreSQL. */
export function describeJobs(
  name: string,
  traits: JobTraits,
  openKind: (database: TestDatabase) => Promise<JobsUnderTest> | JobsUnderTest,
): void {
  describe(`the jobs of ${name}`, () => {
    let shared: TestDatabase;
    let jobs: JobsUnderTest;
    let works: HeldWorks;
    const databases: CuttableDatabase[] = [];
    const gateways: JobGateway[] = [];
    beforeAll(async () => {
      shared = await testDatabase();
      jobs = await openKind(shared);
    });
    beforeEach(() => {
      works = new HeldWorks();
    });
    afterEach(async () => {
      for (const database of databases) database.restore();
      works.end();
      for (const gateway of gateways.splice(0)) await gateway.close();
      for (const database of databases.splice(0)) await database.close();
      await jobs.clear();
    });
    afterAll(() => shared.drop());

    /** A gateway with a connection of its own. */
    async function open() {
      const database = await cuttableDatabase(shared.url);
      databases.push(database);
      const gateway = await jobs.open(database.connection, works);
      gateways.push(gateway);
      return { gateway, database };
    }
    /** Waits until the server has noticed. */
    async function cut(database: CuttableDatabase) {
      database.cut();
      await expect.poll(() => database.sessionCount(shared.pool), patience).toBe(0);
    }
    const begun = (count: number) => expect.poll(() => works.all.length, patience).toBe(count);
    const ends = (outcome: "done" | "failed") => expect.poll(() => jobs.outcome(), patience).toBe(outcome);
    /** Ends what is abandoned. */
    const endsAt = (gateway: JobGateway) => expect.poll(() => gateway.wake().then(() => jobs.outcome()), patience).toBe("failed");
    const idle = (gateway: JobGateway) => expect.poll(() => gateway.running, patience).toBe(0);

    /** A gateway that is busy with the item. */
    async function openBusy() {
      const opened = await open();
      await jobs.add();
      await opened.gateway.order?.();
      await opened.gateway.wake();
      await begun(1);
      return opened;
    }
    /** Begins the item again, without anything having been waited for, and finishes it. */
    async function repeat(gateway: JobGateway) {
      await gateway.order?.();
      await gateway.wake();
      await begun(2);
      works.all[1]?.finish();
      await ends("done");
    }

    it("are each held by one of two gateways", async () => {
      const [{ gateway: a }, { gateway: b }] = [await open(), await open()];
      await jobs.add();
      await Promise.allSettled([a, b, a, b].flatMap((gateway) => [Promise.resolve(gateway.order?.()), gateway.wake()]));
      await begun(1);
      await Promise.all([a.wake(), b.wake()]);
      expect([works.all.length, a.running + b.running]).toEqual([1, 1]);
      works.all[0]?.finish();
      await ends("done");
      await Promise.all([idle(a), idle(b)]);
      expect(works.all).toHaveLength(1);
    });

    it("are taken from a killed gateway when their lease has ended, and not before", async () => {
      const { database } = await openBusy();
      const { gateway: other } = await open();
      await cut(database);
      await other.wake();
      await jobs.age(traits.leaseSeconds / 4);
      await other.wake();
      expect([works.all.length, await jobs.outcome()]).toEqual([1, "open"]);
      await jobs.age(traits.leaseSeconds);
      if (traits.afterCrash === "failed") {
        await endsAt(other);
        await jobs.add();
      }
      const runs = works.all.length;
      await repeat(other);
      expect(runs).toBe(1);
    });

    const proveRenewal = () =>
      it("stay with a gateway that renews its lease, however long it takes", async () => {
        await openBusy();
        const { gateway: other } = await open();
        for (let renewal = 1; renewal <= 2; renewal += 1) {
          await jobs.age(traits.leaseSeconds * 0.75);
          const aged = await jobs.lease?.();
          await expect.poll(() => jobs.lease?.(), patience).not.toEqual(aged);
          await other.wake();
        }
        expect([works.all.length, await jobs.outcome()]).toEqual([1, "open"]);
      });
    if (traits.isRenewed === true) proveRenewal();

    it("are not changed by a result that comes too late", async () => {
      const { gateway: late, database } = await openBusy();
      const { gateway: other } = await open();
      await cut(database);
      await jobs.age(traits.leaseSeconds + 1);
      if (traits.afterCrash === "repeated") {
        await other.wake();
        await begun(2);
        works.all[1]?.finish();
        await ends("done");
      } else await endsAt(other);
      if (traits.onLate === "counts until repeated") await repeat(other);
      await idle(other);
      const before = await jobs.rows();
      database.restore();
      works.all[0]?.finish();
      await idle(late);
      expect(await jobs.rows()).toEqual(before);
    });

    const proveCancel = () =>
      it(`that are canceled are ${traits.onCancel}, and leave no trace`, async () => {
        const { gateway } = await openBusy();
        await jobs.cancel?.(gateway);
        const before = await jobs.rows();
        if (traits.onCancel === "ignored") works.all[0]?.finish();
        await idle(gateway);
        expect([works.all[0]?.isInterrupted, await jobs.rows()]).toEqual([traits.onCancel === "interrupted", before]);
      });
    if (traits.onCancel !== "cannot be canceled") proveCancel();

    it("are given up at once by a gateway that stops", async () => {
      const { gateway } = await openBusy();
      const { gateway: other } = await open();
      const closing = gateway.close();
      if (traits.onClose === "finished") works.all[0]?.finish();
      await closing;
      if (traits.onClose === "failed") {
        await ends("failed");
        await jobs.add();
      }
      if (traits.onClose !== "finished") await repeat(other);
      expect(await jobs.outcome()).toBe("done");
    });

    it("keep their result through an outage of the database", async () => {
      const { gateway, database } = await openBusy();
      await cut(database);
      works.all[0]?.finish();
      await expect.poll(() => database.refused, patience).toBeGreaterThan(1);
      database.restore();
      await ends("done");
      await idle(gateway);
      expect(works.all).toHaveLength(1);
    });

    it("end although every run fails", async () => {
      const { gateway } = await openBusy();
      for (let run = 1; run <= 10; run += 1) {
        works.all[run - 1]?.fail();
        await idle(gateway);
        if ((await jobs.outcome()) === "failed") break;
        await jobs.age(1_000_000);
        await gateway.wake();
        await begun(run + 1);
      }
      expect(await jobs.outcome()).toBe("failed");
      await gateway.wake();
      expect(gateway.running).toBe(0);
    });

    it("reject nothing that nobody handles", async () => {
      const unhandled: unknown[] = [];
      const note = (error: unknown) => unhandled.push(error);
      process.on("unhandledRejection", note);
      try {
        const { gateway, database } = await openBusy();
        await cut(database);
        works.all[0]?.fail();
        await gateway.wake().catch(() => undefined);
        await gateway.close();
        await new Promise(setImmediate);
      } finally {
        process.off("unhandledRejection", note);
      }
      expect(unhandled).toEqual([]);
    });
  });
}
