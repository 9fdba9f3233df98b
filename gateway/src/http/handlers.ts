import type { IncomingHttpHeaders } from "node:http";
import type { AnswerOf, BodyOf, ParamsOf, QueryOf, RouteShape, Routes } from "@fairway/contract/route";
import type { FastifyBaseLogger } from "fastify";
import type { SignedInUser } from "./signed-in-user.ts";
import type { RawContent, UploadedFile } from "./upload.ts";

/** The headers by which a caller requests a part of a file, or only a newer one. */
export interface FileHeaders {
  readonly range: string | undefined;
  readonly ifRange: string | undefined;
  readonly ifNoneMatch: string | undefined;
  /** The caller wants the headers only. */
  readonly isHead: boolean;
}

/** Passed to every handler in addition to the parsed request. */
export interface CallContext {
  /** Aborted if the client disconnects before the response is sent. */
  readonly signal: AbortSignal;
  readonly log: FastifyBaseLogger;
  /** The client's address behind trusted proxies. */
  readonly ip: string;
  /** Whether the caller is on this machine without a proxy in between. */
  readonly isDirect: boolean;
  /** All headers, for what speaks a protocol of its own and for calls from inside. */
  readonly headers: Readonly<IncomingHttpHeaders>;
  /** The User-Agent header; empty if missing. */
  readonly userAgent: string;
  readonly requestId: string;
  /** When the access token of the call expires, in epoch milliseconds; 0 for a call without one. */
  readonly tokenEndsMs: number;
  /** Requested scheme, host and port behind trusted proxies, such as `https://data.example.org`. */
  readonly origin: string;
  readonly fileHeaders: FileHeaders;
  /** The If-Match header: the version that the caller wants to change. */
  readonly ifMatch: string | undefined;
  /** Sets the ETag of the response. */
  answerVersion(etag: string): void;
  /** Sets the caller in the audit log, for public routes whose handler identifies the user. */
  callerIs(user: Pick<SignedInUser, "id" | "username">): void;
  /** Adds what the call was about to its entry in the audit log: names and counts, never values. */
  noteForAudit(note: string): void;
}

/** A body that is streamed without parsing. The handler resolves once the first chunk is ready, so that an earlier failure still gets its status. */
export interface StreamedAnswer {
  readonly contentType: string;
  readonly chunks: AsyncIterable<string | Uint8Array> | Iterable<string>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: the status of the contract. */
  readonly status?: number;
}

type UserOf<R extends RouteShape> = R["access"] extends "public"
  ? undefined
  : R["access"] extends "operator"
    ? SignedInUser | undefined
    : SignedInUser;

/** Resolves with the uploaded file once its part headers have been read. */
type FileOf<R extends RouteShape> = R extends { file: object } ? { file: () => Promise<UploadedFile> } : unknown;

type ContentOf<R extends RouteShape> = R extends { rawBody: true } ? { content: RawContent } : unknown;

export type Handler<R extends RouteShape> = (
  call: { params: ParamsOf<R>; query: QueryOf<R>; body: BodyOf<R>; user: UserOf<R> } & CallContext & FileOf<R> & ContentOf<R>,
) => R extends { streamed: true } ? Promise<StreamedAnswer> : AnswerOf<R> | Promise<AnswerOf<R>>;

/** One handler per route. */
export type Handlers<R extends Routes> = { [K in keyof R]: Handler<R[K]> };
