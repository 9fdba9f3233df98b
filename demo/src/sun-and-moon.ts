/** Sun and moon times from the usual short series: accurate to a minute or two for the sun, to a few minutes for the moon. */

const dayMs = 86_400_000;
/** Julian day of 1970-01-01 00:00 UTC. */
const epochJulian = 2_440_587.5;
const j2000 = 2_451_545;

const sin = (degrees: number): number => Math.sin((degrees * Math.PI) / 180);
const cos = (degrees: number): number => Math.cos((degrees * Math.PI) / 180);
const degrees = (radians: number): number => (radians * 180) / Math.PI;
const msOf = (julian: number): number => Math.round((julian - epochJulian) * dayMs);

export interface Place {
  readonly name: string;
  /** Degrees north and east. */
  readonly latitude: number;
  readonly longitude: number;
}

export interface SunDay {
  /** Epoch milliseconds; null if the sun does not cross the horizon that day. */
  readonly sunriseMs: number | null;
  readonly noonMs: number;
  readonly sunsetMs: number | null;
  readonly daylightHours: number;
  /** Degrees above the horizon. */
  readonly noonElevation: number;
}

/** The solar day at the place's longitude for a date, given as its midnight in UTC. */
export function sunDay({ latitude, longitude }: Place, midnightMs: number): SunDay {
  const day = midnightMs / dayMs + epochJulian + 0.5 - j2000 - longitude / 360;
  const anomaly = 357.5291 + 0.985_600_28 * day;
  const center = 1.9148 * sin(anomaly) + 0.02 * sin(2 * anomaly) + 0.0003 * sin(3 * anomaly);
  const ecliptic = anomaly + center + 282.9372;
  const noon = j2000 + day + 0.0053 * sin(anomaly) - 0.0069 * sin(2 * ecliptic);
  const declination = degrees(Math.asin(sin(ecliptic) * sin(23.4397)));
  // The sun's upper edge at the horizon, with refraction.
  const hour = (sin(-0.833) - sin(latitude) * sin(declination)) / (cos(latitude) * cos(declination));
  const half = degrees(Math.acos(Math.min(1, Math.max(-1, hour)))) / 360;
  const crosses = Math.abs(hour) <= 1;
  return {
    sunriseMs: crosses ? msOf(noon - half) : null,
    noonMs: msOf(noon),
    sunsetMs: crosses ? msOf(noon + half) : null,
    daylightHours: Math.round(half * 48 * 100) / 100,
    noonElevation: Math.round((90 - Math.abs(latitude - declination)) * 100) / 100,
  };
}

export const moonPhaseNames = ["new moon", "first quarter", "full moon", "last quarter"] as const;

export interface MoonPhase {
  readonly phase: (typeof moonPhaseNames)[number];
  /** Epoch milliseconds. */
  readonly atMs: number;
}

/** The phases of a calendar year in UTC, in order. Uses the largest terms of Meeus, Astronomical Algorithms, chapter 49. */
export function moonPhases(year: number): MoonPhase[] {
  const [start, end] = [Date.UTC(year), Date.UTC(year + 1)];
  const first = Math.floor((year - 2000) * 12.3685 * 4) - 4;
  return Array.from({ length: 62 }, (_, index) => moonPhase(first + index)).filter(({ atMs }) => atMs >= start && atMs < end);
}

/** `quarter` counts from the new moon of January 2000. */
function moonPhase(quarter: number): MoonPhase {
  const k = quarter / 4;
  const kind = ((quarter % 4) + 4) % 4;
  const centuries = k / 1236.85;
  const mean = 2_451_550.097_66 + 29.530_588_861 * k + 0.000_154_37 * centuries ** 2;
  const sun = 2.5534 + 29.105_356_7 * k;
  const moon = 201.5643 + 385.816_935_28 * k;
  const latitude = 160.7108 + 390.670_502_84 * k;
  const atQuarter =
    -0.628_01 * sin(moon) + 0.171_72 * sin(sun) - 0.011_83 * sin(moon + sun) + 0.008_62 * sin(2 * moon) + 0.008_04 * sin(2 * latitude);
  const apart = 0.003_06 - 0.000_38 * cos(sun) + 0.000_26 * cos(moon);
  const atSyzygy =
    -0.4065 * sin(moon) + 0.1727 * sin(sun) + 0.016_1 * sin(2 * moon) + 0.010_4 * sin(2 * latitude) + 0.007_4 * sin(moon - sun);
  const correction = kind % 2 === 0 ? atSyzygy : atQuarter + (kind === 1 ? apart : -apart);
  // Dynamical time is about 70 seconds ahead of UTC in these decades.
  return { phase: moonPhaseNames[kind as 0 | 1 | 2 | 3], atMs: msOf(mean + correction) - 70_000 };
}
