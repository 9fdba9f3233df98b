import type { Client } from "@fairway/contract/clients";

const known = (text: string): string | undefined => (text === "Unknown" ? undefined : text);

/** `Firefox 128.0 on Linux`, without unknown parts. */
export function clientText({ browser, operatingSystem }: Client): string {
  const parts = [known(browser), known(operatingSystem)].filter((part) => part !== undefined);
  return parts.length === 0 ? "Unknown device" : parts.join(" on ");
}

/** Whether the client is a phone or tablet. */
export const isHandheld = ({ device }: Client): boolean => /^(Mobile|Tablet|iPhone|iPad|Pixel|Galaxy|SM-)/i.test(device);
