// @ts-check
import { setTimeout as sleep } from "node:timers/promises";
import { viewer } from "./platform.mjs";

/** Room for the writers below: they stand for many people. */
export const roomForWriters = {
  LIMIT_FEEDBACK_PER_HOUR: "1000000",
  LIMIT_FEEDBACK_FILES_WAITING: "1000000",
  LIMIT_USER_CALLS_PER_MINUTE: "1000000",
};

const searchesAtOnce = 3;
/** A user may have 500. */
const savedSearches = 100;
/** The list of feedback, by which it is checked, shows the newest thousand. */
const feedbackPauseMs = 100;
/** After a refusal. */
const retryPauseMs = 100;
const nothingBut = "kept by the hostile cases";

/** Writes without a pause and remembers what the portal acknowledged, over any number of its restarts. */
export class Writers {
  /** Number of the newest acknowledged write by the id of its saved search. @type {Map<string, number>} */
  #searches = new Map();
  /** Ids of the saved searches that the next writes go to. @type {Map<number, string>} */
  #places = new Map();
  /** Ids of attachments, each with feedback. */
  #attachments = new Set();
  #number = 0;
  #acknowledged = 0;
  #timeoutMs;

  /** @param {{ timeoutMs: number }} options a call without an answer for this long is one that hangs */
  constructor({ timeoutMs }) {
    this.#timeoutMs = timeoutMs;
  }

  get acknowledged() {
    return this.#acknowledged;
  }

  /**
   * Writes until `stop` is called or the portal has ended.
   * @param {import("./portal.mjs").Portal} portal
   * @param {string} token
   */
  start(portal, token) {
    /** @type {import("./portal.mjs").Answer[]} */
    const failures = [];
    const stopping = new AbortController();
    const repeat = async (/** @type {() => Promise<import("./portal.mjs").Answer>} */ write) => {
      while (!stopping.signal.aborted && portal.isRunning) {
        const answer = await write();
        if (isAcknowledged(answer)) continue;
        failures.push(answer);
        await sleep(retryPauseMs);
      }
    };
    const running = Promise.all([
      ...Array.from({ length: searchesAtOnce }, () => repeat(() => this.saveSearch(portal, token))),
      repeat(async () => {
        await sleep(feedbackPauseMs);
        return this.giveFeedback(portal, token);
      }),
    ]);
    return {
      failures,
      stop: async () => {
        stopping.abort();
        await running;
      },
    };
  }

  /**
   * Saves a search, or changes one that was saved before.
   * @param {import("./portal.mjs").Portal} portal
   * @param {string} token
   * @param {string} [text] what the search looks for
   */
  async saveSearch(portal, token, text = "") {
    const number = (this.#number += 1);
    const place = number % savedSearches;
    const id = this.#places.get(place);
    const query = JSON.stringify({ filters: [{ name: "name", operator: "=", value: text }] });
    const body = { queryName: `kept ${number}`, description: `${number}`, query };
    const isNew = id === undefined;
    const answer = isNew
      ? await portal.call("POST", "/favorite/queries", {
          token,
          body: { datasetCategory: "Trials", datasetId: "points", ...body },
          timeoutMs: this.#timeoutMs,
        })
      : await portal.call("PUT", `/favorite/queries/${id}`, { token, body, timeoutMs: this.#timeoutMs });
    if (isAcknowledged(answer)) {
      const saved = JSON.parse(answer.text).id;
      this.#places.set(place, saved);
      this.#searches.set(saved, number);
      this.#acknowledged += 1;
    }
    // What nobody acknowledged may still be stored, after a later one.
    else this.#places.delete(place);
    return answer;
  }

  /** Uploads a file and submits feedback with it. @param {import("./portal.mjs").Portal} portal @param {string} token */
  async giveFeedback(portal, token) {
    const uploaded = await upload(portal, token, this.#timeoutMs);
    if (uploaded.status !== 201) return uploaded;
    const { id } = JSON.parse(uploaded.text);
    const draft = { username: viewer.username, name: "", email: "", type: "bug", description: nothingBut, datasets: [], attachments: [id] };
    const answer = await portal.call("POST", "/feedback/create", { token, body: draft, timeoutMs: this.#timeoutMs });
    if (isAcknowledged(answer)) {
      this.#attachments.add(id);
      this.#acknowledged += 1;
    }
    return answer;
  }

  /**
   * What was acknowledged and is not there.
   * @param {import("./portal.mjs").Portal} portal
   * @param {string} token the writers' own
   */
  async lost(portal, token) {
    const { status, text } = await portal.call("GET", "/favorite/queries", { token });
    if (status !== 200) throw new Error(`the saved searches cannot be read: ${status} ${text.slice(0, 200)}`);
    const list = /** @type {{ id: string, description: string }[]} */ (JSON.parse(text));
    const there = new Map(list.map(({ id, description }) => [id, Number(description)]));
    const lost = [...this.#searches].flatMap(([id, number]) => ((there.get(id) ?? 0) < number ? [`saved search ${number}`] : []));
    const administrator = await portal.asAdministrator();
    for (const id of this.#attachments) {
      const file = await portal.call("GET", `/admin/feedback/attachments/${id}`, { token: administrator });
      if (file.status !== 200 || file.text !== nothingBut) lost.push(`attachment ${id} (${file.status})`);
    }
    return lost;
  }
}

export const isAcknowledged = (/** @type {import("./portal.mjs").Answer} */ { status }) => status >= 200 && status < 300;

/** @param {import("./portal.mjs").Portal} portal @param {string} token @param {number} timeoutMs */
export function upload(portal, token, timeoutMs) {
  const body = `--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n${nothingBut}\r\n--b--\r\n`;
  return portal.call("POST", "/feedback/upload", {
    token,
    body,
    headers: { "content-type": "multipart/form-data; boundary=b" },
    timeoutMs,
  });
}
