import type { DatasetRef } from "@fairway/contract/datasets";
import type { AnswerOf, BodyOf, ParamsOf, QueryOf, RouteShape, Routes } from "@fairway/contract/route";
import type { FastifyBaseLogger } from "fastify";
import type { UploadedFile } from "./upload.ts";

/** What an API key opens, of what its owner may use. */
export interface Reach {
  readonly apiKeyId: string;
  /** As its owner calls it now. */
  readonly apiKeyName: string;
  readonly datasets: readonly DatasetRef[];
  readonly filesets: readonly string[];
  readonly ecosystems: readonly string[];
}

/** The user behind a call, as the database knows them now (not as the token claims). */
export interface SignedInUser {
  readonly id: string;
  readonly username: string;
  readonly roles: readonly string[];
  /** The refresh-token family this call's token belongs to; of a call with an API key, none: the key's id. */
  readonly sessionId: string;
  /** When the password was last proven in this session; never with an API key: 0. */
  readonly signedInAtMs: number;
  /** The portal asks this user for a second factor, and the session proved a password only: the role admin opens nothing. */
  readonly lacksSecondFactor?: true;
  /** The call came with an API key, and reaches this much only. */
  readonly reach?: Reach;
}

/** What every handler is given besides the parsed request. */
export interface CallContext {
  /** Aborted when the browser leaves before the answer is out. */
  readonly signal: AbortSignal;
  readonly log: FastifyBaseLogger;
  /** The client's address, past the trusted proxies. */
  readonly ip: string;
  /** The caller sits on this machine, with no proxy in between. */
  readonly isDirect: boolean;
  /** What the client says of itself; empty where it says nothing. */
  readonly userAgent: string;
  readonly requestId: string;
  /** Scheme, host and port that the caller asked for, past the trusted proxies, such as `https://data.example.org`. */
  readonly origin: string;
  /** Tells the audit log who calls a public route, where only its handler finds out. */
  callerIs(user: Pick<SignedInUser, "id" | "username">): void;
}

/** A body that leaves as it is, chunk by chunk. The handler resolves once the first chunk is ready, so a failure before it still gets its status. */
export interface StreamedAnswer {
  readonly contentType: string;
  readonly chunks: AsyncIterable<string | Uint8Array> | Iterable<string>;
  readonly headers?: Readonly<Record<string, string>>;
}

type UserOf<R extends RouteShape> = R["access"] extends "public"
  ? undefined
  : R["access"] extends "operator"
    ? SignedInUser | undefined
    : SignedInUser;

/** The one file of an upload, as soon as its head is there. */
type FileOf<R extends RouteShape> = R extends { file: object } ? { file: () => Promise<UploadedFile> } : unknown;

export type Handler<R extends RouteShape> = (
  call: { params: ParamsOf<R>; query: QueryOf<R>; body: BodyOf<R>; user: UserOf<R> } & CallContext & FileOf<R>,
) => R extends { streamed: true } ? Promise<StreamedAnswer> : AnswerOf<R> | Promise<AnswerOf<R>>;

/** One handler per route: a missing one does not compile. */
export type Handlers<R extends Routes> = { [K in keyof R]: Handler<R[K]> };
