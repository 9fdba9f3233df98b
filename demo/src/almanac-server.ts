import { randomBytes } from "node:crypto";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Place, moonPhases, sunDay } from "./sun-and-moon.ts";

/** A service that listens on this machine only. */
export interface RunningAlmanac {
  readonly url: string;
  /** Required in the header `X-Almanac-Key`. */
  readonly key: string;
  close(): Promise<void>;
}

/** An error that is returned to the caller. */
class Problem extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const cities: readonly Place[] = [
  { name: "Cape Town", latitude: -33.9249, longitude: 18.4241 },
  { name: "Delhi", latitude: 28.6139, longitude: 77.209 },
  { name: "London", latitude: 51.5074, longitude: -0.1278 },
  { name: "Mexico City", latitude: 19.4326, longitude: -99.1332 },
  { name: "Nairobi", latitude: -1.2921, longitude: 36.8219 },
  { name: "New York", latitude: 40.7128, longitude: -74.006 },
  { name: "Quito", latitude: -0.1807, longitude: -78.4678 },
  { name: "Reykjavík", latitude: 64.1466, longitude: -21.9426 },
  { name: "San Francisco", latitude: 37.7749, longitude: -122.4194 },
  { name: "Sydney", latitude: -33.8688, longitude: 151.2093 },
  { name: "Tokyo", latitude: 35.6762, longitude: 139.6503 },
  { name: "Tromsø", latitude: 69.6492, longitude: 18.9553 },
];

const dayMs = 86_400_000;
const [firstDayMs, lastDayMs] = [Date.UTC(2020, 0, 1), Date.UTC(2030, 11, 31)];
const maxBodyCharacters = 10_000;

/** Serves the almanac on a free port of 127.0.0.1 with a generated key. Does not keep the process alive. */
export async function serveAlmanac(): Promise<RunningAlmanac> {
  const key = randomBytes(24).toString("base64url");
  const server = createServer((request, response) => {
    void handle(request, key)
      .catch((error: unknown) => {
        if (error instanceof Problem) return { status: error.status, body: { message: error.message } };
        // A URIError means a name that is not percent-encoded UTF-8. Other errors must not stop the portal either.
        return error instanceof URIError ? { status: 400, body: { message: "This is not a name." } } : { status: 500, body: {} };
      })
      .then(({ status, body }) => send(response, status, body));
  });
  server.unref();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    key,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

async function handle(request: IncomingMessage, key: string): Promise<{ status: number; body: unknown }> {
  if (request.headers["x-almanac-key"] !== key) throw new Problem(401, "The almanac does not know this key.");
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://almanac");
  const [, kind, name, ...rest] = pathname.split("/");
  if (request.method === "GET" && kind === "sun" && name !== undefined && rest.length === 0)
    return { status: 200, body: sun(name, searchParams) };
  if (request.method === "POST" && pathname === "/moon") return { status: 200, body: { results: moon(await bodyOf(request)) } };
  throw new Problem(404, "The almanac has no such page.");
}

function sun(encodedName: string, query: URLSearchParams): { days: object[]; total: number } {
  const name = decodeURIComponent(encodedName);
  const city = cities.find((one) => folded(one.name) === folded(name));
  if (city === undefined) throw new Problem(404, `The almanac has no city '${name}'. It has ${cities.map((one) => one.name).join(", ")}.`);
  const [fromMs, toMs] = [
    Math.max(firstDayMs, dayAt(query, "min_date", firstDayMs)),
    Math.min(lastDayMs, dayAt(query, "max_date", lastDayMs)),
  ];
  const only = query.has("date") ? dayAt(query, "date", 0) : undefined;
  const all = Array.from({ length: Math.max(0, (toMs - fromMs) / dayMs + 1) }, (_, index) => fromMs + index * dayMs);
  const matches = hoursFilter(query);
  const days = all
    .filter((midnightMs) => only === undefined || midnightMs === only)
    .flatMap((midnightMs) => {
      const day = sunDay(city, midnightMs);
      return matches(day.daylightHours) ? [{ midnightMs, day }] : [];
    });
  const skip = wholeNumber(query, "skip", 0);
  const page = days.slice(skip, skip + wholeNumber(query, "take", days.length));
  return { days: page.map(({ midnightMs, day }) => dayRow(city, midnightMs, day)), total: days.length };
}

const folded = (text: string): string => text.normalize("NFD").replaceAll(/\p{M}/gu, "").replaceAll("ø", "o").toLowerCase();

function dayRow(city: Place, midnightMs: number, day: ReturnType<typeof sunDay>): object {
  return {
    date: isoOf(midnightMs).slice(0, 10),
    city: city.name,
    sunrise: day.sunriseMs === null ? null : isoOf(day.sunriseMs),
    noon: isoOf(day.noonMs),
    sunset: day.sunsetMs === null ? null : isoOf(day.sunsetMs),
    daylight: day.daylightHours,
    elevation: day.noonElevation,
    latitude: city.latitude,
    longitude: city.longitude,
  };
}

const isoOf = (ms: number): string => new Date(ms).toISOString();

function dayAt(query: URLSearchParams, name: string, fallbackMs: number): number {
  const text = query.get(name);
  if (text === null) return fallbackMs;
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms)) throw new Problem(400, `'${text}' is not a day such as 2026-06-21.`);
  return ms;
}

function hoursFilter(query: URLSearchParams): (hours: number) => boolean {
  const at = (name: string) => (query.has(name) ? Number(query.get(name)) : undefined);
  const [equal, min, max] = [at("daylight"), at("min_daylight"), at("max_daylight")];
  return (hours) => (equal === undefined || hours === equal) && (min === undefined || hours >= min) && (max === undefined || hours <= max);
}

function wholeNumber(query: URLSearchParams, name: string, fallback: number): number {
  const text = query.get(name);
  if (text === null) return fallback;
  if (!/^\d{1,9}$/.test(text)) throw new Problem(400, `'${name}' is not a whole number.`);
  return Number(text);
}

function moon({ year, phase }: { readonly year?: unknown; readonly phase?: unknown }): object[] {
  if (typeof year !== "number" || !Number.isInteger(year) || year < 1950 || year > 2050) {
    throw new Problem(400, "The almanac knows the moon of the years 1950 to 2050.");
  }
  return moonPhases(year)
    .filter((one) => phase === undefined || one.phase === phase)
    .map((one) => ({ phase: one.phase, at: isoOf(one.atMs).replace(/:\d\d\.\d+Z$/, "Z"), year }));
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8") as AsyncIterable<string>) {
    text += chunk;
    if (text.length > maxBodyCharacters) throw new Problem(413, "The almanac reads no more than 10,000 characters.");
  }
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === "object" && body !== null) return { ...body };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new Problem(400, "The almanac expects a JSON object.");
}
