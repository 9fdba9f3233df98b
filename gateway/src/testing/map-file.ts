import { zxyToTileId } from "pmtiles";

interface Tile {
  readonly zoom: number;
  readonly x: number;
  readonly y: number;
  readonly content: Uint8Array;
}

/** Of the specification of PMTiles, version 3. */
const headerBytes = 127;
const uncompressed = 1;

/** A PMTiles file of uncompressed tiles with one directory. `tileType`: 1 vector, 2 PNG. */
export function mapFileBytes(tiles: readonly Tile[], tileType = 2): Buffer {
  const sorted = tiles.map(({ zoom, x, y, content }) => ({ id: zxyToTileId(zoom, x, y), zoom, content })).toSorted((a, b) => a.id - b.id);
  const lengths = sorted.map(({ content }) => content.length);
  const starts = lengths.map((_, index) => lengths.slice(0, index).reduce((sum, length) => sum + length, 0));
  const directory = Buffer.from(
    [
      sorted.length,
      ...sorted.map(({ id }, index) => id - (sorted[index - 1]?.id ?? 0)),
      ...sorted.map(() => 1),
      ...lengths,
      ...starts.map((start) => start + 1),
    ].flatMap(varint),
  );
  const header = Buffer.alloc(headerBytes);
  header.write("PMTiles");
  header[7] = 3;
  const at = (offset: number, value: number) => header.writeBigUInt64LE(BigInt(value), offset);
  const tilesStart = headerBytes + directory.length;
  at(8, headerBytes);
  at(16, directory.length);
  at(24, tilesStart);
  at(40, tilesStart);
  at(56, tilesStart);
  at(
    64,
    lengths.reduce((sum, length) => sum + length, 0),
  );
  header[97] = uncompressed;
  header[98] = uncompressed;
  header[99] = tileType;
  header[100] = 0;
  header[101] = Math.max(...sorted.map(({ zoom }) => zoom));
  return Buffer.concat([header, directory, ...sorted.map(({ content }) => content)]);
}

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value % 0x80) + 0x80, ...varint(Math.floor(value / 0x80))];
}
