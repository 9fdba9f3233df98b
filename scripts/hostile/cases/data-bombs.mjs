// @ts-check
import { bring } from "../lib/brought-files.mjs";
import { dataBombs, makeBomb } from "../lib/data-bombs.mjs";
import { sendBombs } from "../lib/send-bombs.mjs";

export const name = "Own data that expands too much: Parquet, XLSX, ZIP, gzip, JSON, GeoJSON and CSV";
export const isLong = true;

/** An import may take this long, and the portal this much memory. */
const [maxMs, maxBytes] = [240_000, 2_500_000_000];

/** @param {import("../run.mjs").Context & { only?: string }} context */
export const run = ({ openPortal, only = "" }) =>
  sendBombs(openPortal, {
    names: Object.keys(dataBombs).filter((bomb) => bomb.includes(only)),
    make: makeBomb,
    attack: async (portal, token, bomb, path) => [await bring(portal, token, bomb, path, maxMs)],
    maxMs,
    maxBytes,
  });
