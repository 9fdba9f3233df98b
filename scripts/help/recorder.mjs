// @ts-check
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** @typedef {import("@playwright/test").Page} Page */

/** Frames a second of the finished video. */
const rate = 12;

/**
 * Records what a page shows as a VP9 video, with captions for each scene. Uses the browser's screencast, which, unlike
 * Playwright's recording, works with the system's browser and keeps small text sharp.
 */
export class Recorder {
  /** @type {{ file: string, ms: number }[]} */
  #frames = [];
  /** @type {{ text: string, ms: number }[]} */
  #captions = [];
  #startMs = 0;
  /** @type {number | undefined} */
  #previewMs;
  /** @type {Promise<unknown>[]} */
  #writes = [];

  /**
   * @param {Page} page
   * @param {import("@playwright/test").CDPSession} session
   * @param {string} folder
   */
  constructor(page, session, folder) {
    this.page = page;
    this.session = session;
    this.folder = folder;
  }

  /** @param {Page} page */
  static async start(page) {
    const session = await page.context().newCDPSession(page);
    const recorder = new Recorder(page, session, await mkdtemp(join(tmpdir(), "fairway-recording-")));
    session.on("Page.screencastFrame", ({ data, sessionId }) => {
      const file = join(recorder.folder, `${String(recorder.#frames.length).padStart(5, "0")}.jpg`);
      recorder.#frames.push({ file, ms: Date.now() });
      recorder.#writes.push(writeFile(file, Buffer.from(data, "base64")));
      recorder.#writes.push(session.send("Page.screencastFrameAck", { sessionId }));
    });
    recorder.#startMs = Date.now();
    await session.send("Page.startScreencast", { format: "jpeg", quality: 92, everyNthFrame: 4 });
    return recorder;
  }

  /**
   * Plays a scene with a caption, for at least as long as reading the caption takes.
   * @param {string} text
   * @param {() => Promise<unknown>} [play]
   */
  async scene(text, play = async () => {}) {
    const startMs = Date.now();
    this.#captions.push({ text, ms: startMs - this.#startMs });
    await play();
    await this.page.waitForTimeout(Math.max(1_500, 1_200 + text.length * 45 - (Date.now() - startMs)));
  }

  /** Takes this moment for the preview image. Default: 4 seconds before the end. */
  markPreview() {
    this.#previewMs = Date.now();
  }

  /**
   * Writes the video, its captions and its preview image.
   * @param {string} video
   * @param {string} captions
   * @param {string} preview
   */
  async finish(video, captions, preview) {
    await this.session.send("Page.stopScreencast");
    await Promise.all(this.#writes);
    const endMs = Date.now();
    const starts = [...this.#frames.map(({ ms }) => ms), endMs];
    const list = this.#frames.map(
      ({ file }, index) => `file '${file}'\nduration ${((starts[index + 1] ?? endMs) - (starts[index] ?? endMs)) / 1_000}`,
    );
    await writeFile(
      join(this.folder, "frames.txt"),
      ["ffconcat version 1.0", ...list, `file '${this.#frames.at(-1)?.file}'`, ""].join("\n"),
    );
    const encoding = ["-c:v", "libvpx-vp9", "-crf", "40", "-b:v", "0", "-row-mt", "1", "-deadline", "good", "-cpu-used", "3", "-g", "120"];
    const input = ["-f", "concat", "-safe", "0", "-i", join(this.folder, "frames.txt")];
    await run("ffmpeg", [
      "-y",
      "-loglevel",
      "error",
      ...input,
      "-vf",
      `fps=${rate},format=yuv420p`,
      ...encoding,
      "-movflags",
      "+faststart",
      video,
    ]);
    const previewSeconds = ((this.#previewMs ?? endMs - 4_000) - (starts[0] ?? endMs)) / 1_000;
    const frame = ["-y", "-loglevel", "error", "-ss", String(previewSeconds), "-i", video, "-frames:v", "1", "-vf", "scale=640:-2"];
    await run("ffmpeg", [...frame, "-q:v", "4", preview]);
    const cueEnds = [...this.#captions.slice(1).map(({ ms }) => ms), endMs - this.#startMs];
    const cues = this.#captions.map(({ text, ms }, index) => `${timestamp(ms)} --> ${timestamp(cueEnds[index] ?? ms)}\n${text}\n`);
    await writeFile(captions, ["WEBVTT\n", ...cues].join("\n"));
    await rm(this.folder, { recursive: true });
  }
}

/** @param {number} ms */
const timestamp = (ms) => new Date(ms).toISOString().slice(11, 23);

/**
 * Shows where the mouse is, which a screencast leaves out.
 * @param {Page} page
 */
export async function showPointer(page) {
  await page.addInitScript({
    content: `{
      const pointer = document.createElement("div");
      Object.assign(pointer.style, {
        position: "fixed", left: "-40px", top: "0", width: "22px", height: "22px", margin: "-11px", boxSizing: "border-box",
        borderRadius: "50%", background: "rgb(20 110 140 / 35%)", border: "2px solid rgb(20 110 140 / 80%)",
        pointerEvents: "none", zIndex: "2147483647",
      });
      addEventListener("DOMContentLoaded", () => document.documentElement.append(pointer));
      addEventListener("mousemove", ({ clientX, clientY }) => Object.assign(pointer.style, { left: clientX + "px", top: clientY + "px" }), true);
      addEventListener("mousedown", () => pointer.animate([{ scale: 0.6 }, { scale: 1 }], 250), true);
    }`,
  });
}

/**
 * Moves the mouse to an element and presses it.
 * @param {import("@playwright/test").Locator} target
 */
export async function press(target) {
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  if (box) await target.page().mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 14 });
  await target.page().waitForTimeout(250);
  await target.click();
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @returns {Promise<void>}
 */
function run(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: "inherit" });
    child.once("error", reject);
    child.once("exit", (code) => (code === 0 ? resolve() : reject(new Error(`${command} ended with ${code}`))));
  });
}
