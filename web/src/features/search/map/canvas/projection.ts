/** Width of the world in integer units: a thirtieth of a pixel at the highest zoom, with room for adjacent world copies. */
export const worldSize = 2 ** 28;
/** The level at which a cell of the world's grid is one unit. */
export const worldLevel = 28;

/** Web Mercator ends here; anything beyond is drawn at the edge. */
const maxLatitude = 85.051128779806;

/** Whether latitude and longitude are in range. */
export const isValidPosition = (latitude: number, longitude: number): boolean =>
  latitude >= -90 && latitude <= 90 && longitude >= -180 && longitude <= 180;

/** 0 at -180°, `worldSize` at 180°. */
export const projectedX = (longitude: number): number => Math.round((longitude / 360 + 0.5) * worldSize);

/** 0 in the north, `worldSize` in the south. */
export function projectedY(latitude: number): number {
  const sine = Math.sin((Math.max(-maxLatitude, Math.min(maxLatitude, latitude)) * Math.PI) / 180);
  return Math.round((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * worldSize);
}

export const longitudeAt = (x: number): number => (x / worldSize - 0.5) * 360;

export const latitudeAt = (y: number): number => (Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / worldSize))) * 180) / Math.PI;

/** `toX` shifted by a world width if needed, so that the way from `fromX` is the shorter one, across the antimeridian. */
export function unwrapX(fromX: number, toX: number): number {
  const step = toX - fromX;
  return step > worldSize / 2 ? toX - worldSize : step < -worldSize / 2 ? toX + worldSize : toX;
}

/** A horizontal distance, normalized to the shorter way around the world. */
export function wrapDelta(dx: number): number {
  const turned = dx % worldSize;
  return turned > worldSize / 2 ? turned - worldSize : turned < -worldSize / 2 ? turned + worldSize : turned;
}
