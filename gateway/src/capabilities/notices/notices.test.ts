import type { ErrorBody } from "@fairway/contract/errors";
import { type NoticeEntity, noticeEntity } from "@fairway/contract/notice-entity";
import type { Notice } from "@fairway/contract/notices";
import { describe, expect, it } from "vitest";
import { openEntityChanges } from "#entities/entity-changes.ts";
import { storedTypes } from "#entities/entity-types.ts";
import { type EntityStore, entityStore } from "#entities/store.ts";
import { identityApp, someAccounts } from "#testing/identity-app.ts";
import { ReportedChanges } from "#testing/reported-changes.ts";
import { adaAndGrace } from "#testing/signed-in.ts";
import { openNotices } from "./capability.ts";

const buildNotice = (id: string, overrides: Partial<NoticeEntity> = {}): NoticeEntity => ({
  id,
  faIcon: "bullhorn",
  title: `About ${id}`,
  message: `What there is to know about **${id}**.`,
  severity: "info",
  roles: [],
  startMs: null,
  endMs: null,
  createdDateMs: Date.UTC(2026, 0, 1),
  ...overrides,
});

/** Signs in Ada, a reader and editor, and Grace, who has no role. */
async function open(...bodies: readonly NoticeEntity[]) {
  let entities: EntityStore | undefined;
  const gateway = await identityApp({
    accounts: someAccounts,
    capabilities: async ({ db, masterKey, notifications, log }) => {
      entities = entityStore(db, log, masterKey);
      const entityChanges = await openEntityChanges(notifications);
      return [openNotices({ db, entities, entityChanges, live: new ReportedChanges(), log })];
    },
  });
  if (!entities) throw new Error("the entity store is not open");
  for (const body of bodies) await entities.create(storedTypes.notices, body);
  const clientOf = (token: string) => {
    const ids = async (path: string) => (await gateway.call<Notice[]>("GET", path, { token })).body.map(({ id }) => id);
    return {
      list: async () => (await gateway.call<Notice[]>("GET", "/notices", { token })).body,
      listed: () => ids("/notices"),
      fresh: () => ids("/notices/new"),
      view: (...seen: unknown[]) => gateway.call<string[] & ErrorBody>("PUT", "/notices/viewed", { token, body: seen }),
    };
  };
  return { entities, ...(await adaAndGrace(gateway, clientOf)) };
}

describe("notices", () => {
  it("[NOTICE-02][NOTICE-03] are listed newest first, without the fields for administrators", async () => {
    const { ada } = await open(
      buildNotice("older", { createdDateMs: 1_000 }),
      buildNotice("newest", { createdDateMs: 3_000, severity: "critical", roles: [{ roleName: "reader" }] }),
      buildNotice("newer", { createdDateMs: 2_000 }),
    );
    expect(await ada.listed()).toEqual(["newest", "newer", "older"]);
    expect((await ada.list())[0]).toEqual({
      id: "newest",
      title: "About newest",
      message: "What there is to know about **newest**.",
      faIcon: "bullhorn",
      severity: "critical",
      createdDateMs: 3_000,
    });
  });

  it("[NOTICE-12][NOTICE-13] are shown to everyone, or only to holders of their roles", async () => {
    const { ada, grace } = await open(
      buildNotice("everyone"),
      buildNotice("readers", { roles: [{ roleName: "reader" }, { roleName: "nobody" }] }),
      buildNotice("nobody", { roles: [{ roleName: "nobody" }] }),
    );
    expect(new Set(await ada.listed())).toEqual(new Set(["everyone", "readers"]));
    expect(await grace.listed()).toEqual(["everyone"]);
    expect(await grace.fresh()).toEqual(["everyone"]);
  });

  it("are shown between their start and end while enabled", async () => {
    const hour = 3_600_000;
    const { entities, ada } = await open(
      buildNotice("over", { endMs: Date.now() - hour }),
      buildNotice("running", { startMs: Date.now() - hour, endMs: Date.now() + hour }),
      buildNotice("coming", { startMs: Date.now() + hour }),
    );
    expect(await ada.listed()).toEqual(["running"]);
    expect(await ada.fresh()).toEqual(["running"]);
    await entities.setEnabled(storedTypes.notices, "running", false);
    expect(await ada.listed()).toEqual([]);
  });

  it("[NOTICE-05][NOTICE-10] are new until the user has viewed them", async () => {
    const { ada, grace } = await open(buildNotice("a", { createdDateMs: 1 }), buildNotice("b", { createdDateMs: 2 }));
    expect(await ada.fresh()).toEqual(["b", "a"]);
    expect(await ada.view("b")).toMatchObject({ status: 200, body: ["b"] });
    expect(await ada.fresh()).toEqual(["a"]);
    expect(await ada.view("b", "a")).toMatchObject({ status: 200 });
    expect(await ada.fresh()).toEqual([]);
    expect(await ada.listed()).toEqual(["b", "a"]);
    expect(await grace.fresh()).toEqual(["b", "a"]);
  });

  it("cannot be marked as viewed by users they are not for; unknown ids are ignored", async () => {
    const { ada, grace } = await open(buildNotice("readers", { roles: [{ roleName: "reader" }] }));
    expect(await grace.view("readers", "no-such-notice", "nu\0l")).toMatchObject({ status: 200, body: [] });
    expect(await ada.fresh()).toEqual(["readers"]);
    expect(await ada.view(7)).toMatchObject({ status: 400, body: { errors: [{ path: "0" }] } });
  });

  it("are deleted with their views", async () => {
    const { entities, ada } = await open(buildNotice("again"));
    await ada.view("again");
    await entities.remove(storedTypes.notices, "again");
    await entities.create(storedTypes.notices, buildNotice("again"));
    expect(await ada.fresh()).toEqual(["again"]);
  });
});

describe("a notice", () => {
  const pathsOf = (overrides: Record<string, unknown>) =>
    noticeEntity.safeParse({ ...buildNotice("n"), ...overrides }).error?.issues.map(({ path }) => path.join("."));

  it.each([
    ["[NOTICEADM-04]", "faIcon"],
    ["[NOTICEADM-05]", "title"],
    ["[NOTICEADM-06]", "message"],
  ])("%s needs a %s that is not blank", (_, field) => {
    for (const blank of ["", " \n", "\t"]) expect(pathsOf({ [field]: blank })).toEqual([field]);
  });

  it("ends after it starts", () => {
    expect(pathsOf({ startMs: 5, endMs: 5 })).toEqual(["endMs"]);
    expect(pathsOf({ startMs: 5, endMs: 6 })).toBeUndefined();
  });
});
