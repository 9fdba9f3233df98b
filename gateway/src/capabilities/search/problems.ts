import type { ErrorCode, ErrorItem } from "@fairway/contract/errors";
import { Refusal } from "#http/refusal.ts";

/** A refusal tells no more than this of what is wrong. */
const toldAtOnce = 10;

/** Collects everything that is wrong with a call, each with its place in the body. */
export class Problems {
  readonly #items: ErrorItem[];
  readonly #place: string;

  constructor(items: ErrorItem[] = [], place = "") {
    this.#items = items;
    this.#place = place;
  }

  /** The same collection, for a part of the body: places are told from there on. */
  within(part: string): Problems {
    return new Problems(this.#items, this.#at(part));
  }

  add(code: ErrorCode, message: string, path?: string): undefined {
    const place = this.#at(path);
    if (this.#items.length < toldAtOnce) this.#items.push({ code, message, ...(place === "" ? {} : { path: place }) });
    return undefined;
  }

  throwAny(): void {
    const [first, ...others] = this.#items;
    if (first !== undefined) throw Refusal.of([first, ...others]);
  }

  #at(path = ""): string {
    return [this.#place, path].filter((part) => part !== "").join(".");
  }
}

/** What was sent, short enough for a message. */
export function quoted(value: string | number | boolean): string {
  const text = String(value);
  const short = text.length > 100 ? `${text.slice(0, 100)}…` : text;
  return `'${short.replaceAll(/[\p{Cc}\p{Cs}]/gu, "�")}'`;
}
