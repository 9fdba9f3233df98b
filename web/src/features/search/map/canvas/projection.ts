/** The width of the world in whole numbers: fine enough for a thirtieth of a pixel at the closest zoom, with room for worlds beside it. */
export const worldSize = 2 ** 28;

/** Web Mercator ends here; what lies beyond is shown at its edge. */
const lastLatitude = 85.051128779806;

/** Whether it is a place on earth at all. */
export const isPlace = (latitude: number, longitude: number): boolean =>
  latitude >= -90 && latitude <= 90 && longitude >= -180 && longitude <= 180;

/** 0 at -180°, `worldSize` at 180°. */
export const projectedX = (longitude: number): number => Math.round((longitude / 360 + 0.5) * worldSize);

/** 0 in the north, `worldSize` in the south. */
export function projectedY(latitude: number): number {
  const sine = Math.sin((Math.max(-lastLatitude, Math.min(lastLatitude, latitude)) * Math.PI) / 180);
  return Math.round((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * worldSize);
}

export const longitudeAt = (x: number): number => (x / worldSize - 0.5) * 360;

export const latitudeAt = (y: number): number => (Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / worldSize))) * 180) / Math.PI;

/** The next x by the shorter way round the world: a path over the antimeridian goes on beyond the edge. */
export function shorterWay(fromX: number, toX: number): number {
  const step = toX - fromX;
  return step > worldSize / 2 ? toX - worldSize : step < -worldSize / 2 ? toX + worldSize : toX;
}
