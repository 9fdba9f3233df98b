import type { ErrorCode, ErrorItem } from "@fairway/contract/errors";
import { Refusal } from "#http/refusal.ts";

/** Maximum number of problems in one refusal. */
const maxReportedProblems = 10;

/** Collects all problems of a request, each with its path in the body. */
export class Problems {
  readonly #items: ErrorItem[];
  readonly #base: string;

  constructor(items: ErrorItem[] = [], base = "") {
    this.#items = items;
    this.#base = base;
  }

  /** The same collection for a part of the body; paths are relative to it. */
  within(part: string): Problems {
    return new Problems(this.#items, this.#absolute(part));
  }

  add(code: ErrorCode, message: string, path?: string): undefined {
    const absolutePath = this.#absolute(path);
    if (this.#items.length < maxReportedProblems)
      this.#items.push({ code, message, ...(absolutePath === "" ? {} : { path: absolutePath }) });
    return undefined;
  }

  throwAny(): void {
    const [first, ...others] = this.#items;
    if (first !== undefined) throw Refusal.of([first, ...others]);
  }

  #absolute(path = ""): string {
    return [this.#base, path].filter((part) => part !== "").join(".");
  }
}

/** A client-sent value, quoted and truncated for a message. */
export function quoted(value: string | number | boolean): string {
  const text = String(value);
  const short = text.length > 100 ? `${text.slice(0, 100)}…` : text;
  return `'${short.replaceAll(/[\p{Cc}\p{Cs}]/gu, "�")}'`;
}
