import type { Client } from "@fairway/contract/clients";
import { parse } from "bowser";

const unknown = "Unknown";

/** Cached, because parsing a user agent takes hundreds of patterns and a few clients cause thousands of events. */
const cache = new Map<string, Client>();
const maxCached = 1_000;

/** Readable description of a user agent. The texts are untrusted. */
export function parseUserAgent(userAgent: string): Client {
  const cached = cache.get(userAgent);
  if (cached) return cached;
  const client = parseUncached(userAgent);
  if (cache.size >= maxCached) cache.clear();
  cache.set(userAgent, client);
  return client;
}

function parseUncached(userAgent: string): Client {
  if (userAgent === "") return { browser: unknown, operatingSystem: unknown, device: unknown };
  const { browser, os, platform } = parse(userAgent);
  return {
    browser: browser.name ? withVersion(browser.name, browser.version) : programOf(userAgent),
    operatingSystem: os.name ? withVersion(os.name, os.versionName ?? os.version) : unknown,
    device: platform.model ?? (platform.type ? capitalize(platform.type) : unknown),
  };
}

const withVersion = (name: string, version: string | undefined): string => (version ? `${name} ${version}` : name);

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Name and version of a program that is not a browser, such as `curl/8.5.0`. */
function programOf(userAgent: string): string {
  const [, name, version] = /^([A-Za-z][\w.-]{0,40})\/([\w.-]{1,40})/.exec(userAgent) ?? [];
  return name === undefined || name === "Mozilla" ? unknown : withVersion(name, version);
}
