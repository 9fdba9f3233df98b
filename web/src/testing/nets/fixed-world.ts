import { vi } from "vitest";

/** 2026-11-20, 10:00 in New York. */
const now = Date.UTC(2026, 10, 20, 15);

/** Makes what differs from one opening to the next the same for all: the clock, random ids and numbers. */
export function fixWorld(): void {
  vi.setSystemTime(now);
  let ids = 0;
  vi.spyOn(crypto, "randomUUID").mockImplementation(() => {
    ids += 1;
    return `00000000-0000-4000-8000-${ids.toString(16).padStart(12, "0")}`;
  });
  let seed = 1;
  const next = (): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed;
  };
  vi.spyOn(Math, "random").mockImplementation(() => next() / 2_147_483_647);
  vi.spyOn(crypto, "getRandomValues").mockImplementation((array) => {
    if (array)
      new Uint8Array(array.buffer, array.byteOffset, array.byteLength).forEach((_, index, bytes) => void (bytes[index] = next() % 256));
    return array;
  });
}

/** Hides what no two drawings have in common to the last pixel. What is above it stays. */
export function maskPictures(): () => void {
  const style = document.createElement("style");
  style.textContent = ".maplibregl-canvas, video, iframe { visibility: hidden !important; }";
  document.head.append(style);
  return () => style.remove();
}
