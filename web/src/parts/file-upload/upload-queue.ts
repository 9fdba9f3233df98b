import { filesets, newFilePathProblem } from "@fairway/contract/filesets";
import { call } from "#lib/gateway/call.ts";
import { canSucceedLater, GatewayError, messagesOf } from "#lib/gateway/gateway-error.ts";
import { logFailure } from "#lib/browser/log.ts";
import { sizeText } from "#lib/text/size-text.ts";
import type { ChosenFile } from "./chosen-files.ts";
import { keepSending } from "./keep-sending.ts";
import { discardUpload, sendFile } from "./send-file.ts";

export type UploadState =
  /** Waits for its turn, its address or the server. */
  | { readonly phase: "preparing" }
  /** The fileset has a file of this name: the user decides. */
  | { readonly phase: "asking" }
  /** 0 to 99. Disconnected: continues by itself when the server can be reached again. */
  | { readonly phase: "sending"; readonly percent: number; readonly isDisconnected?: true }
  /** Everything is sent, and the portal scans the file. */
  | { readonly phase: "scanning" }
  | { readonly phase: "completed" }
  | { readonly phase: "failed"; readonly reasons: readonly string[]; readonly canRetry: boolean }
  | { readonly phase: "kept" }
  | { readonly phase: "cancelled" };

export interface Upload {
  readonly id: number;
  /** Path in the folder that the dialog uploads to. */
  readonly name: string;
  /** Bytes; null if the file cannot be read. */
  readonly size: number | null;
  readonly state: UploadState;
}

interface Options {
  fileset: string;
  /** Folders joined by slashes; empty = the root. */
  path: string;
  /** Names in the folder, those of folders with a trailing slash; null if not all of them are known. */
  existing: ReadonlySet<string> | null;
  maxBytes: number;
  /** Files of this size or larger are sent in parts and continue after a lost connection. */
  partsFromBytes: number;
  /** Whether the portal scans files. */
  scans: boolean;
  /** Receives paths from the root of the fileset, several at once where uploads complete quickly. */
  onUploaded: (paths: readonly string[]) => void;
}

interface Job {
  readonly file: File;
  /** From the root of the fileset. */
  readonly path: string;
  mayReplace: boolean;
  controller: AbortController;
  /** The unfinished upload in parts on the server. */
  uploadId?: string;
  /** Whether all of it is there. */
  isSent?: boolean;
}

const sideBySide = 3;
const reportEveryMs = 1_000;

export const isActive = ({ state }: Upload): boolean =>
  state.phase === "preparing" || state.phase === "asking" || state.phase === "sending" || state.phase === "scanning";

/** Uploads files to a folder, at most three side by side. Each has its own state: what happens to one changes no other. */
export class UploadQueue {
  readonly #options: Options;
  readonly #jobs = new Map<number, Job>();
  readonly #listeners = new Set<() => void>();
  /** Ids of files whose turn has not come. */
  #waiting: number[] = [];
  #running = 0;
  #uploads: readonly Upload[] = [];
  /** Names that were uploaded here. */
  readonly #uploaded = new Set<string>();
  /** The answer for all files that exist. */
  #replaceAll: boolean | null = null;
  #unreported: string[] = [];
  #reportTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly uploads = (): readonly Upload[] => this.#uploads;

  add(files: readonly ChosenFile[]): void {
    const active = new Set(this.#uploads.filter(isActive).map(({ name }) => name));
    // Without questions, there is nothing that the last answer for all was about.
    if (active.size === 0) this.#replaceAll = null;
    const added = files.map(({ path, file }, index): Upload => {
      const id = this.#uploads.length + index;
      const name = path.normalize("NFC");
      const problem = active.has(name) ? "A file with this name is already in the list." : this.#problemOf(name, file);
      active.add(name);
      const size = typeof file === "string" ? null : file.size;
      if (problem !== undefined || typeof file === "string") {
        return { id, name, size, state: { phase: "failed", reasons: problem === undefined ? [] : [problem], canRetry: false } };
      }
      this.#jobs.set(id, { file, path: this.#pathOf(name), mayReplace: false, controller: new AbortController() });
      // Asked at once, while the other files are uploaded.
      if (this.#replaceAll === null && this.#knownToExist(name) === true) return { id, name, size, state: { phase: "asking" } };
      this.#waiting.push(id);
      return { id, name, size, state: { phase: "preparing" } };
    });
    this.#show([...this.#uploads, ...added]);
    this.#startNext();
  }

  cancel(id: number): void {
    const upload = this.#uploads[id];
    if (upload === undefined || !isActive(upload)) return;
    this.#waiting = this.#waiting.filter((one) => one !== id);
    this.#set(id, { phase: "cancelled" });
    this.#jobs.get(id)?.controller.abort(new DOMException("cancelled", "AbortError"));
  }

  retry(id: number): void {
    const upload = this.#uploads[id];
    const job = this.#jobs.get(id);
    if (upload === undefined || job === undefined || isActive(upload) || upload.state.phase === "completed") return;
    job.controller = new AbortController();
    if (upload.state.phase === "kept") job.mayReplace = true;
    this.#waiting.push(id);
    this.#set(id, { phase: "preparing" });
    this.#startNext();
  }

  /** Answers the question about the first file that exists; `forAll` also answers the others and those to come. */
  answer(replace: boolean, forAll: boolean): void {
    if (forAll) this.#replaceAll = replace;
    for (const { id, state } of this.#uploads) {
      if (state.phase !== "asking") continue;
      this.#decide(id, replace);
      if (!forAll) break;
    }
    this.#startNext();
  }

  /** Aborts everything. What failed can be continued later, when its file is chosen again; the rest of other files is discarded. */
  close(): void {
    this.#listeners.clear();
    this.#waiting = [];
    for (const [id, { controller, uploadId }] of this.#jobs) {
      controller.abort(new DOMException("closed", "AbortError"));
      const phase = this.#uploads[id]?.state.phase;
      if (uploadId === undefined || phase === "completed" || phase === "failed") continue;
      discardUpload(this.#options.fileset, uploadId).catch((error: unknown) => logFailure("An upload could not be discarded", error));
    }
    this.#report();
  }

  #pathOf(name: string): string {
    return this.#options.path === "" ? name : `${this.#options.path}/${name}`;
  }

  #problemOf(name: string, file: File | string): string | undefined {
    if (typeof file === "string") return file;
    const problem = newFilePathProblem(this.#pathOf(name));
    if (problem !== undefined) return `The name ${problem}.`;
    const { maxBytes } = this.#options;
    return file.size > maxBytes ? `The file is larger than ${sizeText(maxBytes)}, the limit of this portal.` : undefined;
  }

  #decide(id: number, replace: boolean): void {
    const job = this.#jobs.get(id);
    if (job === undefined) return;
    if (!replace) return this.#set(id, { phase: "kept" });
    job.mayReplace = true;
    this.#waiting.push(id);
    this.#set(id, { phase: "preparing" });
  }

  #startNext(): void {
    while (this.#running < sideBySide) {
      const id = this.#waiting.shift();
      if (id === undefined) return;
      const job = this.#jobs.get(id);
      if (job === undefined) continue;
      this.#running += 1;
      void this.#run(id, job).finally(() => {
        this.#running -= 1;
        this.#startNext();
      });
    }
  }

  async #run(id: number, job: Job): Promise<void> {
    const { signal } = job.controller;
    try {
      if (!job.mayReplace && (await this.#exists(id, job))) {
        signal.throwIfAborted();
        if (this.#replaceAll === null) return this.#set(id, { phase: "asking" });
        if (!this.#replaceAll) return this.#set(id, { phase: "kept" });
        job.mayReplace = true;
      }
      await this.#send(id, job);
      this.#set(id, { phase: "completed" });
      this.#uploaded.add(this.#uploads[id]?.name ?? "");
      this.#reportSoon(job.path);
    } catch (error) {
      if (signal.aborted) return;
      logFailure("A file could not be uploaded", error);
      this.#set(id, { phase: "failed", reasons: messagesOf(error), canRetry: canSucceedLater(error) });
    }
  }

  /** Waits where the gateway asks to, and continues an upload in parts whose connection was lost. */
  async #send(id: number, job: Job): Promise<void> {
    const {
      file,
      path,
      controller: { signal },
    } = job;
    const { fileset, partsFromBytes, scans } = this.#options;
    let percent = 0;
    const show = (state: UploadState) => {
      if (!signal.aborted) this.#set(id, state);
    };
    const onSent = () => {
      job.isSent = true;
      if (scans) show({ phase: "scanning" });
    };
    const onStarted = (uploadId: string) => void (job.uploadId = uploadId);
    await keepSending(
      async (onProgress) => {
        const onPercent = (now: number) => {
          if (now > percent) onProgress();
          percent = now;
          show({ phase: "sending", percent });
        };
        const sentUploadId = job.isSent ? job.uploadId : undefined;
        try {
          await sendFile({ fileset, path, file, signal, partsFromBytes, sentUploadId, onPercent, onSent, onStarted });
        } catch (error) {
          // The server knows what it needs of an upload that it does not complete.
          if (error instanceof GatewayError && error.status >= 400 && error.status < 500) job.isSent = false;
          throw error;
        }
      },
      {
        signal,
        continues: file.size >= partsFromBytes,
        onWaiting: () => {
          if (percent === 0) show({ phase: "preparing" });
        },
        onDisconnected: () => show({ phase: "sending", percent, isDisconnected: true }),
      },
    );
  }

  async #exists(id: number, { path, controller: { signal } }: Job): Promise<boolean> {
    const known = this.#knownToExist(this.#uploads[id]?.name ?? "");
    if (known !== undefined) return known;
    try {
      await call(filesets.file, { params: { id: this.#options.fileset }, query: { file: path } }, { signal });
      return true;
    } catch (error) {
      if (error instanceof GatewayError && error.status === 404) return false;
      throw error;
    }
  }

  /** Undefined if only the gateway knows. */
  #knownToExist(name: string): boolean | undefined {
    const { existing } = this.#options;
    if (this.#uploaded.has(name)) return true;
    if (existing === null) return undefined;
    const slash = name.indexOf("/");
    return slash !== -1 && existing.has(name.slice(0, slash + 1)) ? undefined : existing.has(name);
  }

  #reportSoon(path: string): void {
    this.#unreported.push(path);
    if (this.#uploads.some(isActive)) this.#reportTimer ??= setTimeout(() => this.#report(), reportEveryMs);
    else this.#report();
  }

  #report(): void {
    clearTimeout(this.#reportTimer);
    this.#reportTimer = undefined;
    const paths = this.#unreported;
    this.#unreported = [];
    if (paths.length > 0) this.#options.onUploaded(paths);
  }

  #set(id: number, state: UploadState): void {
    const upload = this.#uploads[id];
    if (upload !== undefined) this.#show(this.#uploads.with(id, { ...upload, state }));
  }

  #show(uploads: readonly Upload[]): void {
    this.#uploads = uploads;
    for (const listener of this.#listeners) listener();
  }
}
