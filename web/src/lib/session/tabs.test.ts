import { afterEach, expect, it } from "vitest";
import { toSessionRecord, type SessionRecord } from "./session-record.ts";
import { openTabs, type Tabs } from "./tabs.ts";

const open: Tabs[] = [];
afterEach(() => {
  for (const tab of open.splice(0)) tab.close();
});

/** A lock manager as far as tabs use it: shared locks are counted, exclusive ones queue. */
function lockManager() {
  const held: { name: string }[] = [];
  let last = Promise.resolve<unknown>(undefined);
  const request = (name: string, ...rest: unknown[]) => {
    const run = rest.at(-1) as () => Promise<unknown>;
    if (rest.length === 1) {
      const turn = last.then(run);
      last = turn.catch(() => {});
      return turn;
    }
    const lock = { name };
    held.push(lock);
    return run().finally(() => held.splice(held.indexOf(lock), 1));
  };
  return { request, query: () => Promise.resolve({ held, pending: [] }) } as unknown as Pick<LockManager, "request" | "query">;
}

function tab(locks: ReturnType<typeof lockManager> | undefined, session: SessionRecord | null) {
  const tabs = openTabs({ session: () => session, onEvent: () => {}, locks });
  tabs.setSignedIn(session !== null);
  open.push(tabs);
  return tabs;
}

function sessionFrom(receivedMs: number): SessionRecord {
  const claims = btoa(JSON.stringify({ sub: "1", preferred_username: "ada", name: "Ada", roles: [] }));
  const record = toSessionRecord(
    { access_token: `e30.${claims}.s`, refresh_token: `r${receivedMs}`, token_type: "Bearer", expires_in: 1800 },
    receivedMs,
  );
  if (!record) throw new Error("The test's token must carry a user.");
  return record;
}

it("gives a new tab the newest session of all tabs", async () => {
  const locks = lockManager();
  tab(locks, sessionFrom(1));
  tab(locks, sessionFrom(3));
  tab(locks, sessionFrom(2));
  expect((await tab(locks, null).requestSession())?.stored.refresh_token).toBe("r3");
});

it("does not wait if no other tab is signed in", async () => {
  const locks = lockManager();
  tab(locks, null);
  expect(await tab(locks, sessionFrom(1)).requestSession()).toBeNull();
});

it("finds another tab's session without locks, as over plain http", async () => {
  tab(undefined, sessionFrom(1));
  expect((await tab(undefined, null).requestSession())?.stored.refresh_token).toBe("r1");
});

it("lets one tab renew at a time", async () => {
  const locks = lockManager();
  const order: string[] = [];
  const slow = tab(locks, sessionFrom(1)).runExclusive(async () => {
    order.push("first starts");
    await new Promise((resolve) => setTimeout(resolve, 0));
    order.push("first ends");
  });
  const next = tab(locks, sessionFrom(1)).runExclusive(async () => void order.push("second"));
  await Promise.all([slow, next]);
  expect(order).toEqual(["first starts", "first ends", "second"]);
});
