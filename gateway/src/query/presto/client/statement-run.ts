import { setTimeout as wait } from "node:timers/promises";
import { EngineFailed } from "#query/engine.ts";
import { abandoned } from "#query/slots.ts";
import type { Coordinator, CoordinatorAnswer } from "./coordinator.ts";
import { CallRefused, callFailure, statementError, statusFailure, withQuery } from "./failures.ts";
import { type StatementAnswer, parsed, statementAnswer } from "./protocol.ts";
import type { StatementCall, StatementLog, StatementResult } from "./statements.ts";

type Rows = readonly (readonly unknown[])[];

export interface RunParts {
  readonly coordinator: Coordinator;
  readonly log: StatementLog;
  /** Of every call after the first one: who the statement's user is. */
  readonly headers: Readonly<Record<string, string>>;
  /** Takes work that never rejects and that outlives the statement. */
  readonly inBackground: (work: Promise<void>) => void;
  readonly onEnd: () => void;
}

/** Empty answers in a row after which the client waits before it asks again; servers normally hold an answer until there is news. */
const maxEmptyAnswers = 20;
const emptyDelayMs = 200;
const cancelAttempts = 5;
const maxLoggedCharacters = 2_000;

/** One statement at a server, from its first call to its last page or its cancellation. */
export class StatementRun {
  readonly #parts: RunParts;
  readonly #caller: AbortSignal;
  readonly #controller = new AbortController();
  readonly #leave: () => void;
  #queryId: string | undefined;
  /** Address of the next page, and of canceling the query; undefined before the first answer and after the last. */
  #next: URL | undefined;
  #emptyAnswers = 0;
  #isEnded = false;

  constructor(parts: RunParts, { signal, timeoutMs }: StatementCall) {
    this.#parts = parts;
    this.#caller = signal;
    const onAbort = () => this.stop(abandoned(signal));
    const timer = setTimeout(() => this.stop(this.#tooSlow(timeoutMs)), timeoutMs);
    this.#leave = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    };
    signal.addEventListener("abort", onAbort, { once: true });
  }

  /** Ends the statement for its reader, and cancels the query in the background. */
  stop(failure: EngineFailed): void {
    this.#controller.abort(failure);
    this.#end();
  }

  /** `post` sends the statement. It runs to its end even if the caller leaves, since only its answer names the query to cancel. */
  async start(post: () => Promise<CoordinatorAnswer>): Promise<StatementResult> {
    if (this.#caller.aborted) this.stop(abandoned(this.#caller));
    try {
      let answer = await this.#first(post);
      while (!answer.columns && this.#next !== undefined) answer = await this.#advance(this.#next);
      return { queryId: answer.id, columns: answer.columns ?? [], pages: this.#pages(answer) };
    } catch (error) {
      this.#end();
      throw error;
    }
  }

  async #first(post: () => Promise<CoordinatorAnswer>): Promise<StatementAnswer> {
    this.#controller.signal.throwIfAborted();
    const posting = post().then((response) => this.#take(response));
    this.#parts.inBackground(
      posting.then(
        () => (this.#isEnded ? this.#cancel() : undefined),
        () => undefined,
      ),
    );
    return await unlessAborted(posting, this.#controller.signal);
  }

  async *#pages(first: StatementAnswer): AsyncGenerator<Rows> {
    try {
      let answer = first;
      for (;;) {
        this.#controller.signal.throwIfAborted();
        const following = this.#next && this.#advance(this.#next);
        // Awaited after the consumer has read the rows at hand.
        following?.catch(() => undefined);
        if (answer.data && answer.data.length > 0) yield answer.data;
        if (following === undefined) break;
        answer = await following;
      }
      this.#controller.signal.throwIfAborted();
    } finally {
      this.#end();
    }
  }

  async #advance(url: URL): Promise<StatementAnswer> {
    const { signal } = this.#controller;
    if (this.#emptyAnswers > maxEmptyAnswers) await unlessAborted(wait(emptyDelayMs), signal);
    const { coordinator, headers } = this.#parts;
    return this.#take(await coordinator.repeated({ method: "GET", url, headers, signal, queryId: this.#queryId }));
  }

  #take({ status, text }: CoordinatorAnswer): StatementAnswer {
    const { coordinator, log } = this.#parts;
    if (status !== 200) {
      log.warn(
        { query: this.#queryId, status, text: coordinator.hide(text).slice(0, maxLoggedCharacters) },
        "a query server refused a call",
      );
      throw statusFailure(status, this.#queryId);
    }
    const answer = parsed(statementAnswer, text);
    if (answer === undefined) throw callFailure(new CallRefused("not-the-protocol"), coordinator.limits, this.#queryId);
    this.#queryId ??= answer.id;
    if (answer.error) {
      this.#next = undefined;
      const failure = statementError({ ...answer.error, message: coordinator.hide(answer.error.message ?? "") }, answer.id);
      const { errorName, errorType, serverMessage } = failure;
      log.warn({ query: answer.id, errorName, errorType, serverMessage: serverMessage.slice(0, maxLoggedCharacters) }, "a query failed");
      throw failure;
    }
    // Address at which a query can be canceled whose own one is refused.
    this.#next = coordinator.url(`/v1/query/${answer.id}`);
    this.#next = answer.nextUri ? coordinator.ownUrl(answer.nextUri, answer.id) : undefined;
    this.#emptyAnswers = answer.data && answer.data.length > 0 ? 0 : this.#emptyAnswers + 1;
    return answer;
  }

  #end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#leave();
    this.#parts.onEnd();
    this.#controller.abort(new EngineFailed("abandoned", "The query has ended."));
    if (this.#next !== undefined) this.#parts.inBackground(this.#cancel());
  }

  /** Never rejects: a query that cannot be canceled ends by its time limit at the server. */
  async #cancel(): Promise<void> {
    const { coordinator, log, headers } = this.#parts;
    const call = { headers, signal: new AbortController().signal, queryId: this.#queryId };
    try {
      for (let attempt = 0; attempt < cancelAttempts && this.#next !== undefined; attempt++) {
        const { status } = await coordinator.repeated({ ...call, method: "DELETE", url: this.#next });
        if (status < 500) return;
        // Presto fails for some queries that wait; their next address can be deleted.
        const { text } = await coordinator.repeated({ ...call, method: "GET", url: this.#next });
        const { id, nextUri } = parsed(statementAnswer, text) ?? {};
        this.#next = id !== undefined && nextUri ? coordinator.ownUrl(nextUri, id) : undefined;
      }
    } catch (error) {
      log.warn({ query: this.#queryId, err: error }, "a query could not be canceled");
    }
  }

  #tooSlow(timeoutMs: number): EngineFailed {
    const seconds = (timeoutMs / 1_000).toLocaleString("en-US");
    return new EngineFailed("timed-out", withQuery(`The query took longer than ${seconds} s and was canceled`, this.#queryId));
  }
}

/** Rejects with the signal's reason as soon as it is aborted. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason as Error);
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
    work.catch(() => undefined);
  }
}
