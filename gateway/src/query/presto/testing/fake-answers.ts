import type { ResultColumn, ServerKind } from "../client/statements.ts";

export interface FakeAnswer {
  readonly status: number;
  /** Undefined for an answer without content. */
  readonly type: "application/json" | "text/plain" | "text/html" | undefined;
  readonly text: string;
}

export interface FakeError {
  readonly message: string;
  readonly errorCode: number;
  readonly errorName: string;
  readonly errorType: "USER_ERROR" | "INTERNAL_ERROR" | "INSUFFICIENT_RESOURCES" | "EXTERNAL";
}

interface Query {
  readonly id: string;
  readonly slug: string;
}

interface Step {
  readonly state: "QUEUED" | "RUNNING" | "FINISHED" | "FAILED";
  /** Of the next answer; undefined at the end. */
  readonly token?: number;
  readonly isExecuting?: boolean;
  readonly columns?: readonly ResultColumn[];
  readonly data?: readonly (readonly unknown[])[];
  readonly error?: FakeError;
}

export type FakeAnswers = ReturnType<typeof fakeAnswers>;

/** The words of each server, as `trino-476.json` and `presto-0.287.json` recorded them. */
export function fakeAnswers(kind: ServerKind, url: string) {
  const isTrino = kind === "trino";
  const names: Readonly<Record<number, string>> = { 400: "Bad Request", 404: "Not Found" };
  const plain = (status: number, text: string): FakeAnswer => ({ status, type: "text/plain", text });
  const refusal = (status: number, text: string) => plain(status, isTrino ? `Error ${status} ${names[status]}: ${text}` : text);
  const html = (status: number): FakeAnswer => ({ status, type: "text/html", text: `<h1>Error ${status}</h1>` });
  const json = (body: object): FakeAnswer => ({ status: 200, type: "application/json", text: JSON.stringify(body) });
  return {
    info: (version = isTrino ? "476" : "0.287-b8952fa", starting = false) =>
      json({ nodeVersion: { version }, environment: "test", coordinator: true, starting, uptime: "1.00m" }),
    signedOut: () => plain(401, "Unauthorized"),
    noUser: () =>
      isTrino ? plain(401, "Basic authentication or X-Trino-Original-User or X-Trino-User must be sent") : plain(400, "User must be set"),
    noStatement: () => refusal(400, "SQL statement is empty"),
    missing: () => refusal(404, "Query not found"),
    noSuchCall: () => (isTrino ? refusal(404, "HTTP 404 Not Found") : html(404)),
    headersTooLarge: () => html(431),
    gone: () => plain(410, ""),
    canceled: (): FakeAnswer => ({ status: 204, type: undefined, text: "" }),
    step: ({ id, slug }: Query, { state, token, isExecuting = false, columns, data, error }: Step) => {
      const phase = isExecuting ? "executing" : "queued";
      const next = isTrino ? `${phase}/${id}/${slug}/${token}` : `${phase}/${id}/${token}?slug=${slug}`;
      return json({
        id,
        infoUri: `${url}/ui/query.html?${id}`,
        ...(token !== undefined && { nextUri: `${url}/v1/statement/${next}` }),
        ...(columns && { columns }),
        ...(data && { data }),
        stats: { state },
        ...(error && { error }),
        warnings: [],
      });
    },
  };
}

export const errorAnswer = (answers: FakeAnswers, query: Query, error: FakeError): FakeAnswer =>
  answers.step(query, { state: "FAILED", error });
