export interface ImageSize {
  width: number;
  height: number;
}

/** The dimensions that an image states in its header (PNG, JPEG, GIF, WebP); null if it states none that we can read. */
export function imageSize(bytes: ArrayBuffer): ImageSize | null {
  const view = new DataView(bytes);
  const length = view.byteLength;
  if (length >= 24 && view.getUint32(0) === 0x89_50_4e_47) return { width: view.getUint32(16), height: view.getUint32(20) };
  if (length >= 10 && view.getUint32(0) === 0x47_49_46_38) return gifSize(view);
  if (length >= 30 && view.getUint32(0) === 0x52_49_46_46 && view.getUint32(8) === 0x57_45_42_50) return webpSize(view);
  if (length >= 4 && view.getUint16(0) === 0xff_d8) return jpegSize(view);
  return null;
}

/** Browsers enlarge the image to its first frame. */
function gifSize(view: DataView): ImageSize {
  const screen = { width: view.getUint16(6, true), height: view.getUint16(8, true) };
  const flags = view.byteLength > 10 ? view.getUint8(10) : 0;
  let at = 13 + ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));
  // Blocks before the frame, each of parts that name their lengths.
  while (at + 2 < view.byteLength && view.getUint8(at) === 0x21) {
    at += 2;
    while (at < view.byteLength && view.getUint8(at) > 0) at += 1 + view.getUint8(at);
    at += 1;
  }
  if (at + 9 > view.byteLength || view.getUint8(at) !== 0x2c) return screen;
  const [left, top, width, height] = [1, 3, 5, 7].map((offset) => view.getUint16(at + offset, true)) as [number, number, number, number];
  return { width: Math.max(screen.width, left + width), height: Math.max(screen.height, top + height) };
}

function webpSize(view: DataView): ImageSize | null {
  const format = view.getUint8(15);
  if (format === 0x58) return { width: 1 + uint24(view, 24), height: 1 + uint24(view, 27) };
  if (format === 0x20) return { width: view.getUint16(26, true) & 0x3f_ff, height: view.getUint16(28, true) & 0x3f_ff };
  const bits = view.getUint32(21, true);
  return { width: 1 + (bits & 0x3f_ff), height: 1 + ((bits >> 14) & 0x3f_ff) };
}

const uint24 = (view: DataView, at: number): number => view.getUint16(at, true) | (view.getUint8(at + 2) << 16);

/** Walks the segments to the frame header. */
function jpegSize(view: DataView): ImageSize | null {
  let at = 2;
  while (at + 9 < view.byteLength && view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2);
  }
  return null;
}
