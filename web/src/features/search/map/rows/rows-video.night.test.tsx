import { distributions } from "@fairway/contract/distributions";
import { beforeEach, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { loggedFailures } from "#testing/logged-failures.ts";
import { collectDownloads } from "#testing/files.ts";
import { bucketsOf, gridRequests, listedCells, openRows, positions, prepareGrids, rowsMap } from "#testing/grids.ts";
import { mapLink } from "#testing/maps.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { drawSharply, isSimilarColor, type Rgb } from "#testing/pixels.ts";

const months = { unit: "month", size: 1, startMs: Date.UTC(2004, 6), endMs: Date.UTC(2005, 0) } as const;
/** Plays the half year in four seconds. */
const speed = (months.endMs - months.startMs) / 4_000;
const tide: readonly Rgb[] = [
  [2, 147, 147],
  [10, 123, 137],
  [4, 100, 125],
  [0, 77, 114],
  [0, 55, 104],
  [8, 26, 99],
  [19, 0, 78],
];
const bar = () => page.getByRole("region", { name: "Recording" });
const record = async () => {
  await page.getByRole("button", { name: "Export", exact: true }).click();
  await page.getByRole("menuitem", { name: "Playback as WebM video" }).click();
};

beforeEach(() => {
  prepareGrids();
  gateway.answer(distributions.overTime, { unit: "month", size: 1, buckets: bucketsOf(positions(), months), newestMs: null });
});

/** The images of a video, as they are shown. */
async function framesOf(blob: Blob): Promise<ImageData[]> {
  const video = document.createElement("video");
  video.muted = true;
  video.src = await new Promise<string>((resolve) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(typeof reader.result === "string" ? reader.result : ""));
    reader.readAsDataURL(blob);
  });
  const frames: ImageData[] = [];
  await new Promise<void>((resolve, reject) => {
    const take = () => {
      const { videoWidth: width, videoHeight: height } = video;
      const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
      context?.drawImage(video, 0, 0);
      if (context) frames.push(context.getImageData(0, 0, width, height));
      video.requestVideoFrameCallback(take);
    };
    video.requestVideoFrameCallback(take);
    video.addEventListener("ended", () => resolve());
    video.addEventListener("error", () => reject(new Error(video.error?.message)));
    void video.play();
  });
  return frames;
}

/** How many pixels of a part of an image have one of the colors. */
function countColors({ data, width }: ImageData, colors: readonly Rgb[], [left, top, right, bottom]: readonly number[]): number {
  let count = 0;
  for (let y = Math.round(top ?? 0); y < (bottom ?? 0); y++) {
    for (let x = Math.round(left ?? 0); x < (right ?? 0); x++) {
      const at = 4 * (y * width + x);
      if (colors.some((color) => isSimilarColor([data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0], color))) count++;
    }
  }
  return count;
}

it("records the cells of every step with their legend and time, after it has asked for them", async () => {
  await drawSharply({ windowHeight: 640 });
  const { saved } = collectDownloads();
  await openRows({}, { v: [-60, 30, 3], t: [null, null, speed] });
  await expect.element(listedCells().first()).toBeVisible();
  expect(gridRequests()).toHaveLength(2);
  await record();
  await expect.element(bar().getByText(/^Recording [1-9]/)).toBeVisible();
  expect(gridRequests()).toHaveLength(3);
  await expect.poll(() => saved.map(({ name }) => name), { timeout: 20_000 }).toEqual(["Tropical weather_storm-tracks_map.webm"]);
  await expect.element(bar()).not.toBeInTheDocument();

  const frames = await framesOf(saved[0]?.blob ?? new Blob());
  expect(frames.length).toBeGreaterThan(3);
  const [first, last] = [frames[0], frames.at(-1)];
  if (first === undefined || last === undefined) throw new Error("The video is empty.");
  const { width, height } = rowsMap().element().getBoundingClientRect();
  expect([Math.abs(first.width - width) < 2, Math.abs(first.height - height) < 2]).toEqual([true, true]);
  const beside = [16, 60, width - 300, height - 60];
  // More cells are filled with each step.
  const filled = frames.map((frame) => countColors(frame, tide, beside));
  expect(filled[0]).toBeLessThan(1_000);
  expect(filled.at(-1)).toBeGreaterThan(8_000);
  expect(new Set(filled.map((pixels) => Math.round(pixels / 1_000))).size).toBeGreaterThan(2);
  // Both ends of the ramp, whose colors hold throughout.
  for (const frame of [first, last]) {
    expect(countColors(frame, tide.slice(0, 1), [width - 268, 46, width - 248, 58])).toBeGreaterThan(100);
    expect(countColors(frame, tide.slice(-1), [width - 48, 46, width - 28, 58])).toBeGreaterThan(100);
  }
  // "Jul 2004", and "Jul 2004 to Dec 2004".
  const time = [90, height - 34, 190, height - 10];
  const text: Rgb = [20, 28, 38];
  const [short, long] = [first, last].map((frame) => countColors(frame, [text], time));
  expect(long).toBeGreaterThan((short ?? 0) + 50);
});

it("is stopped and saved, canceled, or refused in the words of the items' recording", async () => {
  const { saved } = collectDownloads();
  await openRows({}, { v: [-60, 30, 3] });
  await expect.element(listedCells().first()).toBeVisible();
  await record();
  await expect.element(bar().getByRole("progressbar", { name: "Recorded" })).toBeVisible();
  await bar().getByRole("button", { name: "Cancel" }).click();
  await expect.element(bar()).not.toBeInTheDocument();
  await record();
  await expect.element(bar().getByText(/^Recording [1-9]/)).toBeVisible();
  await bar().getByRole("button", { name: "Stop and save" }).click();
  await expect.poll(() => saved).toHaveLength(1);

  loggedFailures();
  const failure = page.getByRole("alert").filter({ hasText: "Failed to record the playback" });
  vi.stubGlobal("MediaRecorder", undefined);
  await record();
  await expect.element(failure).toHaveTextContent("This browser can't record a video.");
  vi.unstubAllGlobals();
});

it("has nothing to stop while the steps of a video are counted, and Cancel ends their calls", async () => {
  collectDownloads();
  await openRows({}, { v: [-60, 30, 3] });
  await expect.element(listedCells().first()).toBeVisible();
  gateway.answer(distributions.overTime, () => new Promise(() => {}));
  await record();
  await expect.element(bar().getByText("Counting rows for the video", { exact: true })).toBeVisible();
  await expect.element(bar().getByRole("button", { name: "Stop and save" })).not.toBeInTheDocument();
  await expect.element(page.getByText("Counting rows", { exact: true })).not.toBeInTheDocument();
  await bar().getByRole("button", { name: "Cancel" }).click();
  await expect.element(bar()).not.toBeInTheDocument();
  await expect.poll(() => gateway.received(distributions.overTime)[0]?.signal?.aborted).toBe(true);
  await expect.element(page.getByRole("region", { name: "Playback" })).toHaveTextContent("All times");
});

it("closes the list of a phone, which would cover it", async () => {
  await page.viewport(390, 844);
  collectDownloads();
  await openScreen(mapLink({ r: {}, v: [-60, 30, 3] }));
  await page.getByRole("button", { name: /^\d+ cells$/ }).click();
  await record();
  await expect.element(bar()).toBeVisible();
  await expect.element(page.getByRole("dialog", { name: "Rows by place" })).not.toBeInTheDocument();
  await bar().getByRole("button", { name: "Cancel" }).click();
});

it("says why the steps of a video could not be loaded", async () => {
  await openRows({}, { v: [-60, 30, 3] });
  await expect.element(listedCells().first()).toBeVisible();
  gateway.refuse(distributions.overTime, "timed-out", "It took too long.", { times: 1 });
  loggedFailures();
  await record();
  await expect.element(page.getByRole("alert").filter({ hasText: "Failed to record the playback" })).toHaveTextContent("It took too long.");
  await expect.element(bar()).not.toBeInTheDocument();
});
