import type { TokenWrapper } from "@fairway/contract/auth";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { GatewayError } from "../gateway/gateway-error.ts";
import { Session, type SessionEnd } from "./session.ts";
import { toSessionRecord, type SessionRecord } from "./session-record.ts";
import { sessionKey, createSessionStorage } from "./session-storage.ts";
import type { TabEvent, Tabs } from "./tabs.ts";

const lifetimeSeconds = 1800;
const minute = 60_000;

function accessToken(username: string, number: number): string {
  const claims = { sub: `id-${username}`, preferred_username: username, name: `Zoë ${username}`, email: "", roles: ["analyst"], number };
  const bytes = new TextEncoder().encode(JSON.stringify(claims));
  const base64 = btoa(String.fromCharCode(...bytes));
  return `e30.${base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}.signature`;
}

const wrapperOf = (username: string, number: number): TokenWrapper => ({
  access_token: accessToken(username, number),
  refresh_token: `refresh-${username}-${number}`,
  token_type: "Bearer",
  expires_in: lifetimeSeconds,
});

/** One tab with a server that responds with `refresh`, and other tabs that hold the session `theirs`. */
function openTab() {
  const stored = new Map<string, string>();
  const cookies: string[] = [];
  const ended: SessionEnd[] = [];
  const sentEvents: TabEvent[] = [];
  const loggedOutTokens: string[] = [];
  let receive: (event: TabEvent) => void = () => {};
  const others: { theirs: SessionRecord | null } = { theirs: null };
  let served = 1;
  const refresh = vi.fn<(refreshToken: string) => Promise<TokenWrapper>>(() => Promise.resolve(wrapperOf("ada", (served += 1))));
  const open = () =>
    new Session({
      storage: createSessionStorage({
        storage: {
          getItem: (key) => stored.get(key) ?? null,
          setItem: (key, value) => void stored.set(key, value),
          removeItem: (key) => void stored.delete(key),
        },
        setCookie: (cookie) => void cookies.push(cookie),
        secure: true,
      }),
      openTabs: ({ onEvent }): Tabs => {
        receive = onEvent;
        return {
          requestSession: () => Promise.resolve(others.theirs),
          broadcast: (event) => void sentEvents.push(event),
          setSignedIn: () => {},
          runExclusive: (run) => run(),
          close: () => {},
        };
      },
      refresh,
      endOnServer: ({ stored }) => {
        loggedOutTokens.push(stored.refresh_token);
        return Promise.resolve(null);
      },
      onEnd: (reason) => void ended.push(reason),
    });
  return {
    stored,
    cookies,
    ended,
    sentEvents,
    loggedOutTokens,
    others,
    refresh,
    open,
    receive: (event: TabEvent) => receive(event),
    session: open(),
  };
}

function signedIn() {
  const tab = openTab();
  tab.session.signIn(wrapperOf("ada", 1), { leaving: false });
  return tab;
}

const fails = (status: number) => () => Promise.reject(new GatewayError(status, []));

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("signing in", () => {
  it("[SESSION-01] [SESSION-02] stores the token wrapper with its refresh token in session storage", () => {
    const { stored } = signedIn();
    expect(JSON.parse(stored.get(sessionKey) ?? "")).toMatchObject(wrapperOf("ada", 1));
  });

  it("[SESSION-03] sets the cookie JWT for the gateway's paths, for the token's lifetime", () => {
    const { cookies } = signedIn();
    expect(cookies).toEqual([`JWT=${accessToken("ada", 1)}; Path=/api; SameSite=Strict; Max-Age=1800; Secure`]);
  });

  it("[SESSION-18] [SESSION-19] reads the user from the token's claims, including non-ASCII names", () => {
    expect(signedIn().session.getState().user).toMatchObject({ preferred_username: "ada", name: "Zoë ada", email: "", roles: ["analyst"] });
  });

  it("refuses a token without user claims", () => {
    const { session, stored } = openTab();
    expect(session.signIn({ ...wrapperOf("ada", 1), access_token: "nonsense" }, { leaving: false })).toBe(false);
    expect(stored.size).toBe(0);
  });
});

describe("starting", () => {
  it("[SESSION-05] renews and continues a stored session", async () => {
    const tab = signedIn();
    const reloaded = tab.open();
    expect(await reloaded.start()).toMatchObject({ preferred_username: "ada" });
    expect(tab.refresh).toHaveBeenCalledExactlyOnceWith("refresh-ada-1");
    expect(await reloaded.token()).toBe(accessToken("ada", 2));
  });

  it.each([401, 500, 503, 0])("[SESSION-06] clears the session if that renewal fails (%i)", async (status) => {
    const tab = signedIn();
    tab.refresh.mockImplementation(fails(status));
    const started = tab.open().start();
    await vi.advanceTimersByTimeAsync(1000);
    expect(await started).toBeNull();
    expect(tab.stored.size).toBe(0);
    expect(tab.cookies.at(-1)).toBe("JWT=; Path=/api; SameSite=Strict; Max-Age=0; Secure");
  });

  it("sends no request if nothing is stored", async () => {
    const { session, refresh } = openTab();
    expect(await session.start()).toBeNull();
    expect(refresh).not.toHaveBeenCalled();
  });

  it("continues another tab's session, so that a new tab needs no login", async () => {
    const { session, others, refresh } = openTab();
    others.theirs = toSessionRecord(wrapperOf("ada", 7), Date.now());
    expect(await session.start()).toMatchObject({ preferred_username: "ada" });
    expect(await session.token()).toBe(accessToken("ada", 7));
    expect(refresh).not.toHaveBeenCalled();
  });

  it("skips the first renewal after the Login page", async () => {
    const tab = openTab();
    tab.session.signIn(wrapperOf("ada", 1), { leaving: true });
    await tab.open().start();
    expect(tab.refresh).not.toHaveBeenCalled();
    await tab.open().start();
    expect(tab.refresh).toHaveBeenCalledOnce();
  });
});

describe("renewing", () => {
  it("[SESSION-09] renews at half the token's lifetime, repeatedly", async () => {
    const { session, refresh } = signedIn();
    await vi.advanceTimersByTimeAsync(15 * minute - 1);
    expect(refresh).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(refresh.mock.calls).toEqual([["refresh-ada-1"]]);
    expect(await session.token()).toBe(accessToken("ada", 2));
    await vi.advanceTimersByTimeAsync(15 * minute);
    expect(refresh.mock.calls).toEqual([["refresh-ada-1"], ["refresh-ada-2"]]);
  });

  it("[SESSION-10] [SESSION-13] ends the session when the refresh returns 401", async () => {
    const { ended, stored, cookies, refresh } = signedIn();
    refresh.mockImplementation(fails(401));
    await vi.advanceTimersByTimeAsync(15 * minute);
    expect(ended).toEqual(["expired"]);
    expect(stored.size).toBe(0);
    expect(cookies.at(-1)).toContain("Max-Age=0");
  });

  it("[SESSION-11] retries after a quarter of the lifetime and halves the delay each time", async () => {
    const { session, refresh } = signedIn();
    const start = Date.now();
    const tries: number[] = [];
    refresh.mockImplementation(() => {
      tries.push((Date.now() - start) / 1000);
      return fails(503)();
    });
    await vi.advanceTimersByTimeAsync((900 + 450 + 225 + 112.5) * 1000);
    expect(tries).toEqual([900, 1350, 1575, 1687.5]);
    expect(session.getState().failing).toBe(true);
  });

  it("[SESSION-12] ends the session on a failure at a delay of 10 s or less", async () => {
    const { ended, refresh } = signedIn();
    refresh.mockImplementation(fails(0));
    // 900 + 450 + 225 + … + 14.0625; the delay is then 7 s.
    await vi.advanceTimersByTimeAsync(1785_900);
    expect(ended).toEqual([]);
    await vi.advanceTimersByTimeAsync(100);
    expect(refresh).toHaveBeenCalledTimes(7);
    expect(ended).toEqual(["expired"]);
  });

  it("resets the retry delay after a success", async () => {
    const { session, refresh } = signedIn();
    refresh.mockImplementationOnce(fails(503)).mockImplementationOnce(fails(503));
    await vi.advanceTimersByTimeAsync((900 + 450) * 1000);
    expect(session.getState().failing).toBe(true);
    await vi.advanceTimersByTimeAsync(225_000);
    expect(session.getState().failing).toBe(false);
    refresh.mockImplementation(fails(503));
    await vi.advanceTimersByTimeAsync(900_000 + 450_000 - 1);
    expect(refresh).toHaveBeenCalledTimes(4);
    await vi.advanceTimersByTimeAsync(1);
    expect(refresh).toHaveBeenCalledTimes(5);
  });

  it("uses another tab's newer wrapper instead of its own refresh token", async () => {
    const { session, others, refresh } = signedIn();
    others.theirs = toSessionRecord(wrapperOf("ada", 8), Date.now() + 1);
    await vi.advanceTimersByTimeAsync(15 * minute);
    expect(refresh).not.toHaveBeenCalled();
    expect(await session.token()).toBe(accessToken("ada", 8));
  });

  it("sends the renewed wrapper to the other tabs, without the login page's mark", async () => {
    const { sentEvents } = signedIn();
    await vi.advanceTimersByTimeAsync(15 * minute);
    expect(sentEvents.at(-1)).toEqual({ kind: "session", stored: { ...wrapperOf("ada", 2), receivedMs: Date.now() } });
  });
});

describe("calls", () => {
  it("renew the token first if it expired while the device was asleep", async () => {
    const { session, refresh } = signedIn();
    vi.setSystemTime(Date.now() + 40 * minute);
    expect(await session.token()).toBe(accessToken("ada", 2));
    expect(refresh).toHaveBeenCalledOnce();
  });

  it("share one renewal", async () => {
    const { session, refresh } = signedIn();
    vi.setSystemTime(Date.now() + 40 * minute);
    expect(await Promise.all([session.token(), session.token(), session.onUnauthorized(accessToken("ada", 1))])).toEqual([
      accessToken("ada", 2),
      accessToken("ada", 2),
      true,
    ]);
    expect(refresh).toHaveBeenCalledOnce();
  });

  it("fail as unreachable while an expired token cannot be renewed, and keep the session", async () => {
    const { session, refresh, ended } = signedIn();
    refresh.mockImplementation(fails(0));
    vi.setSystemTime(Date.now() + 40 * minute);
    await expect(session.token()).rejects.toMatchObject({ status: 0 });
    expect(ended).toEqual([]);
  });

  it("are retried after a 401 once the token is renewed or a newer one exists", async () => {
    const { session, refresh } = signedIn();
    expect(await session.onUnauthorized(accessToken("ada", 1))).toBe(true);
    expect(await session.onUnauthorized(accessToken("ada", 1))).toBe(true);
    expect(refresh).toHaveBeenCalledOnce();
  });

  it("end the session after a 401 if the renewal is refused, too", async () => {
    const { session, refresh, ended } = signedIn();
    refresh.mockImplementation(fails(401));
    expect(await session.onUnauthorized(accessToken("ada", 1))).toBe(false);
    expect(ended).toEqual(["expired"]);
  });
});

describe("leaving", () => {
  it("[SESSION-14] clears cookie and wrapper, ends the session on the server and notifies the other tabs", async () => {
    const { session, stored, cookies, loggedOutTokens, sentEvents, ended } = signedIn();
    await session.signOut();
    expect(stored.size).toBe(0);
    expect(cookies.at(-1)).toContain("JWT=;");
    expect(loggedOutTokens).toEqual(["refresh-ada-1"]);
    expect(sentEvents.at(-1)).toEqual({ kind: "signed-out" });
    expect(ended).toEqual(["signed-out"]);
  });

  it("discards a renewal that was in flight", async () => {
    const { session, refresh, stored } = signedIn();
    let answer: (wrapper: TokenWrapper) => void = () => {};
    refresh.mockImplementation(() => new Promise((resolve) => (answer = resolve)));
    await vi.advanceTimersByTimeAsync(15 * minute);
    await session.signOut();
    answer(wrapperOf("ada", 2));
    await vi.advanceTimersByTimeAsync(0);
    expect(stored.size).toBe(0);
    expect(await session.token()).toBeUndefined();
  });

  it("follows a logout in another tab", () => {
    const { receive, ended, stored } = signedIn();
    receive({ kind: "signed-out" });
    expect(ended).toEqual(["signed-out"]);
    expect(stored.size).toBe(0);
  });

  it("restarts as another user who signed in in another tab", async () => {
    const { receive, ended, session } = signedIn();
    receive({ kind: "session", stored: { ...wrapperOf("bob", 1), refresh_token: "refresh-bob-1", receivedMs: Date.now() + 1 } });
    expect(ended).toEqual(["other-user"]);
    expect(await session.token()).toBe(accessToken("bob", 1));
  });

  it("hands another user's session to the reloaded page without a renewal", async () => {
    const tab = signedIn();
    tab.receive({ kind: "session", stored: { ...wrapperOf("bob", 1), refresh_token: "refresh-bob-1", receivedMs: Date.now() + 1 } });
    tab.refresh.mockImplementation(fails(0));
    expect(await tab.open().start()).toMatchObject({ preferred_username: "bob" });
  });

  it("continues when the same user signs in again in another tab", () => {
    const { receive, ended } = signedIn();
    receive({ kind: "session", stored: { ...wrapperOf("ada", 5), refresh_token: "refresh-ada-5", receivedMs: Date.now() + 1 } });
    expect(ended).toEqual([]);
  });
});
