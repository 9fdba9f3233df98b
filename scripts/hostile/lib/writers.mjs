// @ts-check
import { setTimeout as sleep } from "node:timers/promises";
import { viewer } from "./platform.mjs";

/** Raised limits, because the writers stand for many users. */
export const writerLimits = {
  FAIRWAY_SETTINGS: JSON.stringify({ limits: { feedbackPerHour: 1_000_000, feedbackFilesWaiting: 1_000_000 } }),
  LIMIT_USER_CALLS_PER_MINUTE: "1000000",
};

const concurrentSearchWriters = 3;
/** Below the limit of 500 per user. */
const savedSearches = 100;
/** Limits the amount of feedback, because only the newest thousand entries are listed. */
const feedbackPauseMs = 100;
/** The pause after a refusal. */
const retryPauseMs = 100;
const attachmentText = "written by the hostile cases";

/** Writes continuously and records what the portal acknowledged, across restarts. */
export class Writers {
  /** Number of the latest acknowledged write by saved search id. @type {Map<string, number>} */
  #searches = new Map();
  /** Ids of the saved searches by slot: further writes change them. @type {Map<number, string>} */
  #slots = new Map();
  /** Ids of acknowledged attachments. */
  #attachments = new Set();
  #number = 0;
  #acknowledged = 0;
  #timeoutMs;

  /** @param {{ timeoutMs: number }} options a call without an answer for this long counts as hanging */
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
      ...Array.from({ length: concurrentSearchWriters }, () => repeat(() => this.saveSearch(portal, token))),
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
   * Creates or changes a saved search.
   * @param {import("./portal.mjs").Portal} portal
   * @param {string} token
   * @param {string} [text] the value of its filter
   */
  async saveSearch(portal, token, text = "") {
    const number = (this.#number += 1);
    const slot = number % savedSearches;
    const id = this.#slots.get(slot);
    const query = JSON.stringify({ filters: [{ name: "name", operator: "=", value: text }] });
    const body = { queryName: `search ${number}`, description: `${number}`, query };
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
      this.#slots.set(slot, saved);
      this.#searches.set(saved, number);
      this.#acknowledged += 1;
    }
    // An unacknowledged write may still be stored later, so the search is not used again.
    else this.#slots.delete(slot);
    return answer;
  }

  /** Uploads a file and submits feedback with it. @param {import("./portal.mjs").Portal} portal @param {string} token */
  async giveFeedback(portal, token) {
    const uploaded = await upload(portal, token, this.#timeoutMs);
    if (uploaded.status !== 201) return uploaded;
    const { id } = JSON.parse(uploaded.text);
    const draft = {
      username: viewer.username,
      name: "",
      email: "",
      type: "bug",
      description: attachmentText,
      datasets: [],
      attachments: [id],
    };
    const answer = await portal.call("POST", "/feedback/create", { token, body: draft, timeoutMs: this.#timeoutMs });
    if (isAcknowledged(answer)) {
      this.#attachments.add(id);
      this.#acknowledged += 1;
    }
    return answer;
  }

  /**
   * Acknowledged writes that are missing.
   * @param {import("./portal.mjs").Portal} portal
   * @param {string} token of the writers' user
   */
  async lost(portal, token) {
    const { status, text } = await portal.call("GET", "/favorite/queries", { token });
    if (status !== 200) throw new Error(`the saved searches cannot be read: ${status} ${text.slice(0, 200)}`);
    const list = /** @type {{ id: string, description: string }[]} */ (JSON.parse(text));
    const found = new Map(list.map(({ id, description }) => [id, Number(description)]));
    const lost = [...this.#searches].flatMap(([id, number]) => ((found.get(id) ?? 0) < number ? [`saved search ${number}`] : []));
    const administrator = await portal.asAdministrator();
    for (const id of this.#attachments) {
      const file = await portal.call("GET", `/admin/feedback/attachments/${id}`, { token: administrator });
      if (file.status !== 200 || file.text !== attachmentText) lost.push(`attachment ${id} (${file.status})`);
    }
    return lost;
  }
}

export const isAcknowledged = (/** @type {import("./portal.mjs").Answer} */ { status }) => status >= 200 && status < 300;

/** @param {import("./portal.mjs").Portal} portal @param {string} token @param {number} timeoutMs */
export function upload(portal, token, timeoutMs) {
  const body = `--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n${attachmentText}\r\n--b--\r\n`;
  return portal.call("POST", "/feedback/upload", {
    token,
    body,
    headers: { "content-type": "multipart/form-data; boundary=b" },
    timeoutMs,
  });
}
