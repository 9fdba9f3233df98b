import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { mapFile as contract } from "@fairway/contract/map-file";
import type { PortalSettings } from "@fairway/contract/settings";
import type { FastifyBaseLogger } from "fastify";
import type { OperatorSettings } from "#config/settings-file.ts";
import { type Capability, implement } from "#http/capability.ts";
import { answerFile } from "#http/file-answer.ts";
import { Refusal } from "#http/refusal.ts";
import { unlessMissing } from "#storage/file-errors.ts";
import type { FileInfo } from "#storage/storage.ts";
import { readMaxZoom } from "./read-max-zoom.ts";

interface Parts {
  readonly file: OperatorSettings["mapFile"];
  /** FAIRWAY_HOME. */
  readonly home: string;
  readonly log: Pick<FastifyBaseLogger, "warn">;
}

const servedName = "map.pmtiles";

/**
 * The operator's own map: one PMTiles file, which browsers read in ranges. A file that cannot be read is reported once, at the
 * start, and maps then show the bundled world alone.
 */
export async function openMapFile({ file, home, log }: Parts): Promise<Capability & { readonly settings: PortalSettings["mapFile"] }> {
  const settings = file === null ? null : await settingsOf(file, home, log);
  const path = file === null || settings === null ? null : join(home, file.name);
  return {
    settings,
    routes: {
      mapFile: implement(contract, {
        content: async ({ fileHeaders }) => {
          if (path === null) throw new Refusal("not-found", "This portal has no map file.");
          const info = await infoOf(path);
          return answerFile({ ...info, name: servedName }, fileHeaders, async (range) => ({
            ...(await infoOf(path)),
            content: createReadStream(path, { start: range.start, end: range.end }),
          }));
        },
      }),
    },
  };
}

async function settingsOf(
  { name, attribution }: NonNullable<Parts["file"]>,
  home: string,
  log: Parts["log"],
): Promise<PortalSettings["mapFile"]> {
  try {
    return { attribution, maxZoom: await readMaxZoom(join(home, name)) };
  } catch (error) {
    log.warn({ err: error, file: name }, "the map file cannot be read: maps show the bundled world");
    return null;
  }
}

async function infoOf(path: string): Promise<FileInfo> {
  const found = await stat(path).catch(unlessMissing);
  if (found === undefined) throw new Refusal("not-found", "The map file is missing.");
  return { key: servedName, size: found.size, lastModified: found.mtime };
}
