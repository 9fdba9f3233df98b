import { docs } from "@fairway/contract/docs";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import "#testing/css-locator.ts";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { buildVideo } from "#testing/docs.ts";
import { gateway, openScreen, reloadScreen } from "#testing/open-screen.tsx";

beforeEach(() => serveDatasets(gateway));

/** The address of ten seconds of silence. */
function silence(): string {
  const rate = 8_000;
  const samples = new Uint8Array(10 * rate).fill(128);
  const header = new DataView(new ArrayBuffer(44));
  const text = (at: number, value: string) => new Uint8Array(header.buffer).set(new TextEncoder().encode(value), at);
  text(0, "RIFF");
  header.setUint32(4, 36 + samples.length, true);
  text(8, "WAVEfmt ");
  header.setUint32(16, 16, true);
  header.setUint16(20, 1, true);
  header.setUint16(22, 1, true);
  header.setUint32(24, rate, true);
  header.setUint32(28, rate, true);
  header.setUint16(32, 1, true);
  header.setUint16(34, 8, true);
  text(36, "data");
  header.setUint32(40, samples.length, true);
  return URL.createObjectURL(new Blob([header.buffer, samples], { type: "audio/wav" }));
}

it("after a reload, a video continues where it was, and from its start once it has ended", async () => {
  gateway.answer(docs.list, [buildVideo("first", "First steps")]);
  gateway.answer(docs.url, { url: silence() });
  const player = async () => (await page.getByRole("dialog", { name: "First steps" }).css("video").findElement()) as HTMLVideoElement;
  const leaveAt = async (seconds: number) => {
    const element = await player();
    const seek = () => {
      element.pause();
      element.currentTime = seconds;
      return sessionStorage.getItem("fairway.tab.video-positions");
    };
    // The first ones may come before the video is loaded.
    await expect.poll(seek, { interval: 100 }).toContain(`"first":${seconds}`);
    await reloadScreen();
  };
  await openScreen("/tutorials?video=first");
  await leaveAt(4);
  const continued = await player();
  await expect.poll(() => continued.currentTime).toBeGreaterThan(0);
  expect(continued.currentTime).toBeGreaterThanOrEqual(4);
  await leaveAt(9.8);
  const restarted = await player();
  restarted.muted = true;
  // As soon as it plays: a busy machine looks too late.
  const first = new Promise<number>((resolve) => {
    restarted.addEventListener("timeupdate", () => restarted.currentTime > 0 && resolve(restarted.currentTime));
  });
  await restarted.play();
  expect(await first).toBeLessThan(4);
});
