/** Names of the units of columns, and the quantities that they measure. Keys are as written, because `K` is not `k`. */
const meanings: readonly (readonly [units: string, words: string])[] = [
  ["kt kts kn knots", "knots, speed"],
  ["m/s mps", "meters per second, speed"],
  ["km/h kmh kph", "kilometers per hour, speed"],
  ["mph mi/h", "miles per hour, speed"],
  ["ft/s", "feet per second, speed"],
  ["°C C degC ℃", "degrees Celsius, temperature"],
  ["°F F degF ℉", "degrees Fahrenheit, temperature"],
  ["K", "kelvin, temperature"],
  ["hPa", "hectopascals, pressure"],
  ["mb mbar", "millibars, pressure"],
  ["Pa", "pascals, pressure"],
  ["kPa", "kilopascals, pressure"],
  ["psi", "pounds per square inch, pressure"],
  ["inHg", "inches of mercury, pressure"],
  ["mm", "millimeters"],
  ["cm", "centimeters"],
  ["m", "meters"],
  ["km", "kilometers"],
  ["in", "inches"],
  ["ft", "feet"],
  ["mi", "miles"],
  ["nmi NM", "nautical miles"],
  ["m² m2", "square meters, area"],
  ["km² km2", "square kilometers, area"],
  ["ha", "hectares, area"],
  ["m³ m3", "cubic meters, volume"],
  ["l L", "liters, volume"],
  ["gal", "gallons, volume"],
  ["g", "grams, weight"],
  ["kg", "kilograms, weight"],
  ["t", "tonnes, weight"],
  ["lb lbs", "pounds, weight"],
  ["ms", "milliseconds"],
  ["s sec", "seconds"],
  ["min", "minutes"],
  ["h hr hrs", "hours"],
  ["d", "days"],
  ["W", "watts, power"],
  ["kW", "kilowatts, power"],
  ["MW", "megawatts, power"],
  ["kWh", "kilowatt hours, energy"],
  ["MWh", "megawatt hours, energy"],
  ["J", "joules, energy"],
  ["V", "volts, voltage"],
  ["A", "amperes, current"],
  ["Hz", "hertz, frequency"],
  ["dB", "decibels"],
  ["%", "percent, percentage"],
  ["° deg", "degrees"],
  ["$ USD", "US dollars"],
  ["€ EUR", "euros"],
  ["£ GBP", "pounds sterling"],
];

const byUnit: ReadonlyMap<string, string> = new Map(
  meanings.flatMap(([units, words]) => units.split(" ").map((unit): [string, string] => [unit, words])),
);

/** A unit as it is searched and shown as a match: `kt: knots, speed`. Empty without a unit. */
export function unitText(unit: string | undefined): string {
  const written = unit?.trim() ?? "";
  const meaning = byUnit.get(written);
  return meaning === undefined || meaning === written ? written : `${written}: ${meaning}`;
}

/** The name of a unit that is written with a sign: `°C` is degrees Celsius. Undefined for others, which are words themselves. */
export const unitName = (written: string): string | undefined =>
  /[^\p{L}\p{N}]/u.test(written) ? byUnit.get(written)?.split(",")[0]?.replace(" per ", " ") : undefined;
