// @ts-check
import { PNG } from "pngjs";

/**
 * Difference between two pictures to the last bit, with a picture of it: the first one paled, differing pixels in red. Undefined if they
 * are equal.
 * @param {Buffer} before
 * @param {Buffer} after
 * @returns {{ text: string, picture: Buffer } | undefined}
 */
export function comparePictures(before, after) {
  if (before.equals(after)) return undefined;
  const [one, other] = [PNG.sync.read(before), PNG.sync.read(after)];
  if (one.width !== other.width || one.height !== other.height)
    return { text: `${one.width} × ${one.height} pixels became ${other.width} × ${other.height}`, picture: after };
  const [left, right] = [pixelsOf(one), pixelsOf(other)];
  const shown = new PNG({ width: one.width, height: one.height });
  let pixels = 0;
  const box = { left: one.width, top: one.height, right: 0, bottom: 0 };
  for (let index = 0; index < left.length; index += 1) {
    const isSame = left[index] === right[index];
    for (let channel = 0; channel < 3; channel += 1)
      shown.data[4 * index + channel] = isSame ? 192 + (one.data[4 * index + channel] ?? 0) / 4 : channel === 0 ? 255 : 0;
    shown.data[4 * index + 3] = 255;
    if (isSame) continue;
    pixels += 1;
    const [x, y] = [index % one.width, Math.floor(index / one.width)];
    Object.assign(box, {
      left: Math.min(box.left, x),
      top: Math.min(box.top, y),
      right: Math.max(box.right, x),
      bottom: Math.max(box.bottom, y),
    });
  }
  if (pixels === 0) return undefined;
  const text = `${pixels} pixels differ, from ${box.left}, ${box.top} to ${box.right}, ${box.bottom}`;
  return { text, picture: PNG.sync.write(shown) };
}

/** @param {PNG} picture */
const pixelsOf = ({ data }) => new Uint32Array(new Uint8Array(data).buffer);
