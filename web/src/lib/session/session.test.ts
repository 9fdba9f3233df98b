import type { TokenWrapper } from "@fairway/contract/auth";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { GatewayError } from "../gateway-error.ts";
import { Session, type SessionEnd } from "./session.ts";
import { recordOf, type SessionRecord } from "./session-record.ts";
import { sessionKey, sessionStorageIn } from "./session-storage.ts";
import type { TabNews, Tabs } from "./tabs.ts";

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

/** One tab with a server that answers what `refresh` says, and other tabs that hold `theirs`. */
function openTab() {
  const kept = new Map<string, string>();
  const cookies: string[] = [];
  const ended: SessionEnd[] = [];
  const told: TabNews[] = [];
  const loggedOut: string[] = [];
  let hear: (news: TabNews) => void = () => {};
  const others: { theirs: SessionRecord | null } = { theirs: null };
  let served = 1;
  const refresh = vi.fn<(refreshToken: string) => Promise<TokenWrapper>>(() => Promise.resolve(wrapperOf("ada", (served += 1))));
  const open = () =>
    new Session({
      storage: sessionStorageIn({
        storage: {
          getItem: (key) => kept.get(key) ?? null,
          setItem: (key, value) => void kept.set(key, value),
          removeItem: (key) => void kept.delete(key),
        },
        setCookie: (cookie) => void cookies.push(cookie),
        secure: true,
      }),
      openTabs: ({ heard }): Tabs => {
        hear = heard;
        return {
          ask: () => Promise.resolve(others.theirs),
          tell: (news) => void told.push(news),
          setSignedIn: () => {},
          alone: (run) => run(),
          close: () => {},
        };
      },
      refresh,
      endOnServer: (refreshToken) => {
        loggedOut.push(refreshToken);
        return Promise.resolve();
      },
      ended: (how) => void ended.push(how),
    });
  return { kept, cookies, ended, told, loggedOut, others, refresh, open, hear: (news: TabNews) => hear(news), session: open() };
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
  it("[SESSION-01] [SESSION-02] keeps the token wrapper with its refresh token in session storage", () => {
    const { kept } = signedIn();
    expect(JSON.parse(kept.get(sessionKey) ?? "")).toMatchObject(wrapperOf("ada", 1));
  });

  it("[SESSION-03] sets the cookie JWT for the gateway's paths, for the token's lifetime", () => {
    const { cookies } = signedIn();
    expect(cookies).toEqual([`JWT=${accessToken("ada", 1)}; Path=/api; SameSite=Strict; Max-Age=1800; Secure`]);
  });

  it("[SESSION-18] [SESSION-19] knows the user by the token's claims, whatever letters the name has", () => {
    expect(signedIn().session.getState().user).toMatchObject({ preferred_username: "ada", name: "Zoë ada", email: "", roles: ["analyst"] });
  });

  it("refuses a token that names nobody", () => {
    const { session, kept } = openTab();
    expect(session.signIn({ ...wrapperOf("ada", 1), access_token: "nonsense" }, { leaving: false })).toBe(false);
    expect(kept.size).toBe(0);
  });
});

describe("starting", () => {
  it("[SESSION-05] renews a stored session and goes on", async () => {
    const tab = signedIn();
    const reloaded = tab.open();
    expect(await reloaded.start()).toMatchObject({ preferred_username: "ada" });
    expect(tab.refresh).toHaveBeenCalledExactlyOnceWith("refresh-ada-1");
    expect(await reloaded.token()).toBe(accessToken("ada", 2));
  });

  it.each([401, 500, 503, 0])("[SESSION-06] forgets the session when that renewal fails (%i)", async (status) => {
    const tab = signedIn();
    tab.refresh.mockImplementation(fails(status));
    const started = tab.open().start();
    await vi.advanceTimersByTimeAsync(1000);
    expect(await started).toBeNull();
    expect(tab.kept.size).toBe(0);
    expect(tab.cookies.at(-1)).toBe("JWT=; Path=/api; SameSite=Strict; Max-Age=0; Secure");
  });

  it("asks nothing of the server where nothing is stored", async () => {
    const { session, refresh } = openTab();
    expect(await session.start()).toBeNull();
    expect(refresh).not.toHaveBeenCalled();
  });

  it("takes up another tab's session, so that a new tab needs no login", async () => {
    const { session, others, refresh } = openTab();
    others.theirs = recordOf(wrapperOf("ada", 7), Date.now());
    expect(await session.start()).toMatchObject({ preferred_username: "ada" });
    expect(await session.token()).toBe(accessToken("ada", 7));
    expect(refresh).not.toHaveBeenCalled();
  });

  it("skips the renewal once, right after the Login page handed over", async () => {
    const tab = openTab();
    tab.session.signIn(wrapperOf("ada", 1), { leaving: true });
    await tab.open().start();
    expect(tab.refresh).not.toHaveBeenCalled();
    await tab.open().start();
    expect(tab.refresh).toHaveBeenCalledOnce();
  });
});

describe("renewing", () => {
  it("[SESSION-09] renews at half the token's lifetime, again and again", async () => {
    const { session, refresh } = signedIn();
    await vi.advanceTimersByTimeAsync(15 * minute - 1);
    expect(refresh).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(refresh.mock.calls).toEqual([["refresh-ada-1"]]);
    expect(await session.token()).toBe(accessToken("ada", 2));
    await vi.advanceTimersByTimeAsync(15 * minute);
    expect(refresh.mock.calls).toEqual([["refresh-ada-1"], ["refresh-ada-2"]]);
  });

  it("[SESSION-10] [SESSION-13] ends the session when the refresh is answered 401", async () => {
    const { ended, kept, cookies, refresh } = signedIn();
    refresh.mockImplementation(fails(401));
    await vi.advanceTimersByTimeAsync(15 * minute);
    expect(ended).toEqual(["expired"]);
    expect(kept.size).toBe(0);
    expect(cookies.at(-1)).toContain("Max-Age=0");
  });

  it("[SESSION-11] tries again after a quarter of the lifetime, then half as long each time", async () => {
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

  it("[SESSION-12] ends the session with the failure that finds the delay at 10 s or less", async () => {
    const { ended, refresh } = signedIn();
    refresh.mockImplementation(fails(0));
    // 900 + 450 + 225 + … + 14.0625; the delay then stands at 7 s.
    await vi.advanceTimersByTimeAsync(1785_900);
    expect(ended).toEqual([]);
    await vi.advanceTimersByTimeAsync(100);
    expect(refresh).toHaveBeenCalledTimes(7);
    expect(ended).toEqual(["expired"]);
  });

  it("begins the retry rule anew after a success", async () => {
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

  it("takes another tab's newer wrapper instead of spending its own", async () => {
    const { session, others, refresh } = signedIn();
    others.theirs = recordOf(wrapperOf("ada", 8), Date.now() + 1);
    await vi.advanceTimersByTimeAsync(15 * minute);
    expect(refresh).not.toHaveBeenCalled();
    expect(await session.token()).toBe(accessToken("ada", 8));
  });

  it("tells the other tabs of what it renewed, without the login page's mark", async () => {
    const { told } = signedIn();
    await vi.advanceTimersByTimeAsync(15 * minute);
    expect(told.at(-1)).toEqual({ kind: "session", stored: { ...wrapperOf("ada", 2), receivedMs: Date.now() } });
  });
});

describe("calls", () => {
  it("renew first when the token has ended while the machine slept", async () => {
    const { session, refresh } = signedIn();
    vi.setSystemTime(Date.now() + 40 * minute);
    expect(await session.token()).toBe(accessToken("ada", 2));
    expect(refresh).toHaveBeenCalledOnce();
  });

  it("share one renewal", async () => {
    const { session, refresh } = signedIn();
    vi.setSystemTime(Date.now() + 40 * minute);
    expect(await Promise.all([session.token(), session.token(), session.refused(accessToken("ada", 1))])).toEqual([
      accessToken("ada", 2),
      accessToken("ada", 2),
      true,
    ]);
    expect(refresh).toHaveBeenCalledOnce();
  });

  it("fail as unreachable while an ended token cannot be renewed, and the session holds", async () => {
    const { session, refresh, ended } = signedIn();
    refresh.mockImplementation(fails(0));
    vi.setSystemTime(Date.now() + 40 * minute);
    await expect(session.token()).rejects.toMatchObject({ status: 0 });
    expect(ended).toEqual([]);
  });

  it("answered 401 are worth one more try after a renewal, or when a newer token is there already", async () => {
    const { session, refresh } = signedIn();
    expect(await session.refused(accessToken("ada", 1))).toBe(true);
    expect(await session.refused(accessToken("ada", 1))).toBe(true);
    expect(refresh).toHaveBeenCalledOnce();
  });

  it("answered 401 end the session when the renewal is refused too", async () => {
    const { session, refresh, ended } = signedIn();
    refresh.mockImplementation(fails(401));
    expect(await session.refused(accessToken("ada", 1))).toBe(false);
    expect(ended).toEqual(["expired"]);
  });
});

describe("leaving", () => {
  it("[SESSION-14] clears cookie and wrapper, ends the session on the server and tells the other tabs", async () => {
    const { session, kept, cookies, loggedOut, told, ended } = signedIn();
    await session.signOut();
    expect(kept.size).toBe(0);
    expect(cookies.at(-1)).toContain("JWT=;");
    expect(loggedOut).toEqual(["refresh-ada-1"]);
    expect(told.at(-1)).toEqual({ kind: "signed-out" });
    expect(ended).toEqual(["signed-out"]);
  });

  it("drops a renewal that was on its way", async () => {
    const { session, refresh, kept } = signedIn();
    let answer: (wrapper: TokenWrapper) => void = () => {};
    refresh.mockImplementation(() => new Promise((resolve) => (answer = resolve)));
    await vi.advanceTimersByTimeAsync(15 * minute);
    await session.signOut();
    answer(wrapperOf("ada", 2));
    await vi.advanceTimersByTimeAsync(0);
    expect(kept.size).toBe(0);
    expect(await session.token()).toBeUndefined();
  });

  it("follows a logout in another tab", () => {
    const { hear, ended, kept } = signedIn();
    hear({ kind: "signed-out" });
    expect(ended).toEqual(["signed-out"]);
    expect(kept.size).toBe(0);
  });

  it("begins anew as another user who signed in in another tab", async () => {
    const { hear, ended, session } = signedIn();
    hear({ kind: "session", stored: { ...wrapperOf("bob", 1), refresh_token: "refresh-bob-1", receivedMs: Date.now() + 1 } });
    expect(ended).toEqual(["other-user"]);
    expect(await session.token()).toBe(accessToken("bob", 1));
  });

  it("hands another user's session over to the page that begins anew, which need not renew it", async () => {
    const tab = signedIn();
    tab.hear({ kind: "session", stored: { ...wrapperOf("bob", 1), refresh_token: "refresh-bob-1", receivedMs: Date.now() + 1 } });
    tab.refresh.mockImplementation(fails(0));
    expect(await tab.open().start()).toMatchObject({ preferred_username: "bob" });
  });

  it("goes on when the same user signs in again in another tab", () => {
    const { hear, ended } = signedIn();
    hear({ kind: "session", stored: { ...wrapperOf("ada", 5), refresh_token: "refresh-ada-5", receivedMs: Date.now() + 1 } });
    expect(ended).toEqual([]);
  });
});
