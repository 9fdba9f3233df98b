import { z } from "zod";
import { route } from "./route.ts";

export const mapFile = {
  content: route({
    method: "GET",
    path: "/map-file",
    access: "signed-in",
    summary: "The operator's PMTiles file of raster tiles, or a range of it.",
    response: z.string(),
    streamed: true,
    mediaTypes: ["application/octet-stream"],
    uncompressed: true,
  }),
};
