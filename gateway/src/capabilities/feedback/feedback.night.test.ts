import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import type { FileStore } from "#storage/storage.ts";
import { removeForgotten } from "./attachments.ts";
import { open } from "#testing/feedback-app.ts";

describe("an attachment", () => {
  it("leaves no file behind when its size cannot be stored", async () => {
    const { ada, gateway, stored } = await open();
    const { db } = gateway.database;
    await sql`alter table feedback_attachments add constraint no_size check (size is null)`.execute(db);
    expect((await ada.upload("a.png")).status).toBe(500);
    expect(await stored()).toBe(0);
    expect(await db.selectFrom("feedback_attachments").select("id").execute()).toEqual([]);
  });

  it("keeps its row when it cannot be removed, so that the cleanup finds it", async () => {
    let isBroken = true;
    const wrap = (files: FileStore): FileStore => ({
      ...files,
      remove: (key) => (isBroken ? Promise.reject(new Error("the disk is unavailable")) : files.remove(key)),
    });
    const { ada, gateway, files, stored } = await open({ wrap });
    const { db } = gateway.database;
    await sql`alter table feedback_attachments add constraint no_size check (size is null)`.execute(db);
    expect((await ada.upload("a.png")).status).toBe(500);
    expect(await stored()).toBe(1);
    expect(await db.selectFrom("feedback_attachments").select("size").execute()).toEqual([{ size: null }]);
    await sql`update feedback_attachments set created_at = now() - interval '25 hours'`.execute(db);
    await expect(removeForgotten(db, wrap(files), 24)).rejects.toThrow("the disk is unavailable");
    expect(await stored()).toBe(1);
    isBroken = false;
    expect(await removeForgotten(db, wrap(files), 24)).toBe(1);
    expect(await stored()).toBe(0);
    expect(await db.selectFrom("feedback_attachments").select("id").execute()).toEqual([]);
  });
});
