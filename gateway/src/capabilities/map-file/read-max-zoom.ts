import { open } from "node:fs/promises";
import { PMTiles, type Source, TileType } from "pmtiles";

const rasterTypes: ReadonlySet<TileType> = new Set([TileType.Png, TileType.Jpeg, TileType.Webp, TileType.Avif]);

/** The highest zoom level with tiles in a PMTiles file. Rejects if it is no such file, or none of raster tiles. */
export async function readMaxZoom(path: string): Promise<number> {
  const file = await open(path);
  try {
    const source: Source = {
      getKey: () => path,
      getBytes: async (offset, length) => {
        const bytes = new Uint8Array(length);
        const { bytesRead } = await file.read(bytes, 0, length, offset);
        return { data: bytes.slice(0, bytesRead).buffer };
      },
    };
    const { tileType, maxZoom } = await new PMTiles(source).getHeader();
    if (!rasterTypes.has(tileType)) throw new Error("It has no raster tiles (PNG, JPEG, WebP or AVIF).");
    return maxZoom;
  } finally {
    await file.close();
  }
}
