import type { Client } from "@fairway/contract/clients";
import { parse } from "bowser";

const unknown = "Unknown";

/** Telling a client takes hundreds of patterns, and thousands of events come from a few clients. */
const known = new Map<string, Client>();
const mostKnown = 1_000;

/** What a user agent tells of itself, for people. Whatever it holds, this is text and nothing more. */
export function clientOf(userAgent: string): Client {
  const before = known.get(userAgent);
  if (before) return before;
  const client = toldBy(userAgent);
  if (known.size >= mostKnown) known.clear();
  known.set(userAgent, client);
  return client;
}

function toldBy(userAgent: string): Client {
  if (userAgent === "") return { browser: unknown, operatingSystem: unknown, device: unknown };
  const { browser, os, platform } = parse(userAgent);
  return {
    browser: browser.name ? named(browser.name, browser.version) : programOf(userAgent),
    operatingSystem: os.name ? named(os.name, os.versionName ?? os.version) : unknown,
    device: platform.model ?? (platform.type ? titled(platform.type) : unknown),
  };
}

const named = (name: string, version: string | undefined): string => (version ? `${name} ${version}` : name);

const titled = (type: string): string => type.charAt(0).toUpperCase() + type.slice(1);

/** `curl/8.5.0` is no browser, and says its name all the same. */
function programOf(userAgent: string): string {
  const [, name, version] = /^([A-Za-z][\w.-]{0,40})\/([\w.-]{1,40})/.exec(userAgent) ?? [];
  return name === undefined || name === "Mozilla" ? unknown : named(name, version);
}
