import { commands } from "vitest/browser";
import type { Activity } from "./request-log.ts";

/** Rounds without any change after which the page rests. Calls that a state holds back never end. */
const restingRounds = 4;
const maxRounds = 600;

const nextFrame = (): Promise<unknown> => new Promise(requestAnimationFrame);

/** Runs until nothing has changed for some rounds, and for some time if what happened may have effects only later: no call, no answer, no file in flight, no change of the document. */
export async function settled(activity: Activity, { restMs = 0 } = {}): Promise<void> {
  await document.fonts.ready;
  let restingSinceMs = performance.now();
  let before = "";
  let resting = 0;
  for (let round = 0; round < maxRounds; round += 1) {
    await nextFrame();
    await nextFrame();
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
    const files = await commands.filesInFlight();
    const now = JSON.stringify([activity, files, location.href, Math.round(document.documentElement.scrollHeight)]);
    const isResting = now === before && files === 0 && document.fonts.status === "loaded" && !isMoving() && hasImages();
    if (!isResting) restingSinceMs = performance.now();
    resting = isResting ? resting + 1 : 0;
    if (resting >= restingRounds && performance.now() - restingSinceMs >= restMs) return;
    before = now;
  }
  throw new Error(`The page did not come to rest: ${before}`);
}

const hasImages = (): boolean => [...document.images].every((image) => image.complete);

const isMoving = (): boolean =>
  document.getAnimations().some(({ playState, effect }) => playState === "running" && effect?.getComputedTiming().endTime !== Infinity);
