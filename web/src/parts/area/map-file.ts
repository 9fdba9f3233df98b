import { addProtocol, type RequestParameters } from "maplibre-gl";
import { EtagMismatch, PMTiles, type RangeResponse } from "pmtiles";
import { apiBase } from "@fairway/contract/api";
import { mapFile } from "@fairway/contract/map-file";
import { currentToken } from "#lib/gateway/call.ts";
import { mapFileScheme } from "./map-file-tiles.ts";

let tiles: PMTiles | undefined;

/** Lets maps read tiles of the operator's file, in ranges from this portal. */
export function registerMapFile(): void {
  if (tiles !== undefined) return;
  tiles = new PMTiles({ getKey: () => mapFile.content.path, getBytes: readRange });
  addProtocol(mapFileScheme, readTile);
}

/** A place without a tile is transparent. */
async function readTile({ url }: RequestParameters, { signal }: AbortController): Promise<{ data: ArrayBuffer }> {
  const [zoom = 0, x = 0, y = 0] = url.slice(`${mapFileScheme}://`.length).split("/").map(Number);
  const tile = await tiles?.getZxy(zoom, x, y, signal);
  return { data: tile?.data ?? new ArrayBuffer(0) };
}

/** A file that was replaced meanwhile is read from its beginning. */
async function readRange(offset: number, length: number, signal?: AbortSignal, knownEtag?: string): Promise<RangeResponse> {
  const token = await currentToken();
  const response = await fetch(`${apiBase}${mapFile.content.path}`, {
    headers: { range: `bytes=${offset}-${offset + length - 1}`, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
    ...(signal === undefined ? {} : { signal }),
  });
  const etag = response.headers.get("etag") ?? undefined;
  if (knownEtag !== undefined && (response.status === 416 || etag !== knownEtag)) throw new EtagMismatch("The map file was replaced.");
  if (response.status !== 206) throw new Error(`The map file answered ${response.status}.`);
  return { data: await response.arrayBuffer(), ...(etag === undefined ? {} : { etag }) };
}
