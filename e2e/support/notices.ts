import { randomUUID } from "node:crypto";
import type { APIRequestContext } from "@playwright/test";
import { type OwnAccount, createAccount } from "./accounts.ts";
import { bearer, tokenOf } from "./gateway.ts";

interface NoticeDraft {
  title: string;
  message: string;
  faIcon?: string;
  severity?: "info" | "warning" | "critical";
}

/** Somebody whom notices can be for and nobody else: whoever else is told of one is held up by it. */
export interface Reader extends OwnAccount {
  role: string;
}

export async function createReader(): Promise<Reader> {
  const role = `readers-${randomUUID()}`;
  return { ...(await createAccount({ roles: [role] })), role };
}

/** Notices for the holders of `role`, the first of them the oldest; answers their ids. */
export async function createNotices(request: APIRequestContext, role: string, drafts: readonly NoticeDraft[]): Promise<string[]> {
  const admin = bearer(await tokenOf(request, "admin"));
  const ids: string[] = [];
  for (const draft of drafts) {
    const data = { faIcon: "bullhorn", ...draft, roles: [{ roleName: role }] };
    const response = await request.post("/api/admin/notices", { ...admin, data });
    if (response.status() !== 201) throw new Error(`${response.status()} ${await response.text()}`);
    ids.push(((await response.json()) as { id: string }).id);
  }
  return ids;
}
