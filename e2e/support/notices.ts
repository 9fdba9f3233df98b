import { randomUUID } from "node:crypto";
import type { APIRequestContext } from "@playwright/test";
import { type TestAccount, createAccount } from "./accounts.ts";
import { bearer, tokenOf } from "./gateway.ts";

interface NoticeDraft {
  title: string;
  message: string;
  faIcon?: string;
  severity?: "info" | "warning" | "critical";
}

/** An account with a role of its own, so that its notices do not interrupt other journeys. */
export interface Reader extends TestAccount {
  role: string;
}

export async function createReader(): Promise<Reader> {
  const role = `readers-${randomUUID()}`;
  return { ...(await createAccount({ roles: [role] })), role };
}

/** Creates notices for the holders of `role`, oldest first, and returns their ids. */
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
