import type { FilesetFile, FilesetListing } from "./api.ts";
import { FairwayError } from "./errors.ts";
import { type CallOptions, type Transport, jsonOf } from "./transport.ts";

type Stream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * Content to upload. A stream is not sent again if the portal is busy; a function that opens one is called for each attempt. Of both, the
 * size has to be known if the files of the fileset are in S3.
 */
export type Content = string | Uint8Array | ArrayBuffer | Blob | Stream | (() => Stream);

export interface ListOptions extends CallOptions {
  /** Also the files of all folders below. */
  readonly recursive?: boolean | undefined;
}

/** A file or folder. The path starts at the root of the fileset; that of a folder ends in a slash. */
export type FileEntry =
  | { readonly kind: "folder"; readonly path: string }
  | ({ readonly kind: "file"; readonly path: string } & FilesetFile);

export interface GetOptions extends CallOptions {
  /** Only these bytes, both ends included. */
  readonly range?: { readonly start: number; readonly end?: number } | undefined;
}

export interface PutOptions extends CallOptions {
  /** Bytes of a stream. */
  readonly size?: number | undefined;
  /** False: fails with the code `exists` if there is such a file. Default: true. */
  readonly overwrite?: boolean | undefined;
}

/** The files of the portal's filesets. */
export class Files {
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Files and folders one level below a folder; with `recursive` all files below it. */
  async *list(fileset: string, folder = "", options: ListOptions = {}): AsyncGenerator<FileEntry, void, undefined> {
    const { signal, recursive = false } = options;
    const listPrefix = folder === "" || folder.endsWith("/") ? folder : `${folder}/`;
    let continuationToken: string | null = null;
    do {
      const query: { listPrefix: string; continuationToken?: string } = {
        listPrefix,
        ...(continuationToken === null ? {} : { continuationToken }),
      };
      const page: FilesetListing = await this.#transport.call("filesets.listing", { params: { id: fileset }, query, signal });
      for (const path of page.commonPrefixes) {
        if (recursive) yield* this.list(fileset, path, options);
        else yield { kind: "folder", path };
      }
      for (const file of page.files) yield { kind: "file", path: file.filename, ...file };
      continuationToken = page.nextContinuationToken;
    } while (continuationToken !== null);
  }

  /** Name, size and time of a file. */
  stat(fileset: string, path: string, { signal }: CallOptions = {}): Promise<FilesetFile> {
    return this.#transport.call("filesets.file", { params: { id: fileset }, query: { file: path }, signal });
  }

  async tags(fileset: string, path: string, { signal }: CallOptions = {}): Promise<Record<string, string>> {
    const { tags } = await this.#transport.call("filesets.tags", { params: { id: fileset }, query: { file: path }, signal });
    return tags;
  }

  /** The content of a file as a response of `fetch`: read it by `text()`, `json()`, `blob()` or its stream `body`. */
  get(fileset: string, path: string, { signal, range }: GetOptions = {}): Promise<Response> {
    const headers: Record<string, string> = range === undefined ? {} : { range: `bytes=${range.start}-${range.end ?? ""}` };
    return this.#transport.call("filesets.download", { params: { id: fileset }, query: { file: path }, headers, signal });
  }

  /** Stores a file, whole or not at all. */
  async put(fileset: string, named: string, content: Content, options: PutOptions = {}): Promise<FilesetFile> {
    const { signal, size, overwrite = true } = options;
    // Some systems and programs write names in another form.
    const path = named.normalize("NFC");
    if (!overwrite && (await this.exists(fileset, path, options))) {
      throw new FairwayError({ code: "exists", message: `'${path}' is already in the fileset '${fileset}'.` });
    }
    const { uploadUrl } = await this.#transport.call("filesets.uploadUrl", { params: { id: fileset }, query: { file: path }, signal });
    const address = new URL(uploadUrl, this.#transport.url);
    const isOpened = typeof content === "function";
    const isStream = typeof content === "object" && (content instanceof ReadableStream || Symbol.asyncIterator in content);
    // The address is the permission: a file store would refuse the key. A stream's size is sent for stores that require it.
    const request = {
      method: "PUT",
      ...(isStream || isOpened ? { duplex: "half" as const } : {}),
      ...((isStream || isOpened) && size !== undefined ? { headers: { "content-length": String(size) } } : {}),
      ...(signal === undefined ? {} : { signal }),
    };
    const bodyOf = () => (isOpened ? content() : content) as NonNullable<RequestInit["body"]>;
    const response = await this.#transport.send(address.href, request, { bodyOf, isRepeatable: !isStream });
    if (address.origin === new URL(this.#transport.url).origin) return (await jsonOf(response)) as FilesetFile;
    await response.body?.cancel();
    return this.stat(fileset, path, options);
  }

  /** Deletes a file. For administrators; an API key cannot. */
  async delete(fileset: string, path: string, { signal }: CallOptions = {}): Promise<void> {
    await this.#transport.call("filesets.remove", { params: { id: fileset }, query: { file: path }, signal });
  }

  async exists(fileset: string, path: string, { signal }: CallOptions = {}): Promise<boolean> {
    try {
      await this.stat(fileset, path, { signal });
      return true;
    } catch (error) {
      // A fileset that is missing is refused with the same code, and so will be the upload.
      if (error instanceof FairwayError && error.code === "not-found") return false;
      throw error;
    }
  }
}
