import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ErrorBody } from "@fairway/contract/errors";
import type { FeedbackAttachment, FeedbackDraft, OwnFeedback, ReceivedFeedback } from "@fairway/contract/feedback";
import { onTestFinished } from "vitest";
import { type SecurityLimits, defaultSecurityLimits } from "#identity/security-limits.ts";
import { openLocalDisk } from "#storage/local-disk.ts";
import type { FileStore } from "#storage/storage.ts";
import { type OnClose, adasPassword, identityApp, rootsAccount, someAccounts } from "./identity-app.ts";
import { ReportedChanges } from "./reported-changes.ts";
import { accessTokenOf } from "./signed-in.ts";
import { openFeedback } from "../capabilities/feedback/capability.ts";

export const png = Buffer.from("\x89PNG\r\n\x1a\nand what follows", "latin1");

/** A multipart body as browsers send it. */
export function form(...files: readonly { field?: string; filename: string; content: Buffer | string }[]) {
  const boundary = "----fairway";
  const parts = files.flatMap(({ field = "file", filename, content }) => [
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="${field}"; filename="${filename}"\r\ncontent-type: application/octet-stream\r\n\r\n`,
    ),
    Buffer.from(content),
    Buffer.from("\r\n"),
  ]);
  return {
    payload: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
    contentType: `multipart/form-data; boundary=${boundary}`,
  };
}

interface Options {
  readonly limits?: Partial<SecurityLimits>;
  readonly isEnabled?: () => boolean;
  readonly wrap?: (files: FileStore) => FileStore;
  /** Registers what closes it. Default: `onTestFinished`. */
  readonly onClose?: OnClose;
}

/** Ada, Grace and Ruth, an administrator. All of them can read the category `nature`. */
export async function open({ limits = {}, isEnabled = () => true, wrap = (files) => files, onClose = onTestFinished }: Options = {}) {
  const folder = await mkdtemp(join(tmpdir(), "fairway-feedback-"));
  onClose(() => rm(folder, { recursive: true }));
  const files: FileStore = await openLocalDisk(folder);
  const reported = new ReportedChanges();
  const gateway = await identityApp({
    onClose,
    accounts: { ...someAccounts, users: [...someAccounts.users, rootsAccount] },
    capabilities: ({ db, log }) => [
      openFeedback({
        db,
        files: wrap(files),
        canRead: (_, { datasetCategory }) => Promise.resolve(datasetCategory === "nature"),
        isEnabled,
        limits: { ...defaultSecurityLimits, feedbackFilesWaiting: 5, ...limits },
        live: reported,
        log,
      }),
    ],
  });
  const signedInAs = async (username: string, password: string) => {
    const token = await accessTokenOf(gateway, username, password);
    const send = async ({ payload, contentType }: { payload: Buffer; contentType: string }) => {
      const response = await gateway.app.inject({
        method: "POST",
        url: "/feedback/upload",
        headers: { authorization: `Bearer ${token}`, "content-type": contentType },
        payload,
      });
      return { status: response.statusCode, body: JSON.parse(response.body) as FeedbackAttachment & ErrorBody };
    };
    const draft = (change: Partial<FeedbackDraft> = {}): FeedbackDraft => ({
      username,
      name: "",
      email: "",
      type: "bug",
      description: "It creaks.",
      datasets: [],
      attachments: [],
      ...change,
    });
    return {
      token,
      send,
      upload: (filename: string, content: Buffer | string = png) => send(form({ filename, content })),
      create: (change: Partial<FeedbackDraft> = {}) =>
        gateway.call<OwnFeedback & ErrorBody>("POST", "/feedback/create", { token, body: draft(change) }),
      own: async () => (await gateway.call<OwnFeedback[]>("GET", "/feedback/own", { token })).body,
      received: () => gateway.call<ReceivedFeedback[]>("GET", "/admin/feedback", { token }),
      setStatus: (body: unknown) => gateway.call<ReceivedFeedback & ErrorBody>("PUT", "/admin/feedback", { token, body }),
      download: (id: string) =>
        gateway.app.inject({ method: "GET", url: `/admin/feedback/attachments/${id}`, headers: { authorization: `Bearer ${token}` } }),
    };
  };
  return {
    gateway,
    files,
    reported,
    stored: async () => (await readdir(join(folder, "kept"), { recursive: true })).filter((name) => name.includes("/")).length,
    ada: await signedInAs("ada", adasPassword),
    grace: await signedInAs("grace", "nanoseconds"),
    root: await signedInAs("root", rootsAccount.password),
  };
}
