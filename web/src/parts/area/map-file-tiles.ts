export const mapFileScheme = "map-file";

/** Addresses of the tiles of the operator's map file, for a source of MapLibre. */
export const mapFileTiles = `${mapFileScheme}://{z}/{x}/{y}`;
