import type { Client } from "@fairway/contract/clients";

const known = (text: string): string | undefined => (text === "Unknown" ? undefined : text);

/** `Firefox 128.0 on Linux`, as far as it is known. */
export function clientText({ browser, operatingSystem }: Client): string {
  const parts = [known(browser), known(operatingSystem)].filter((part) => part !== undefined);
  return parts.length === 0 ? "Unknown device" : parts.join(" on ");
}

/** Whether it is one that is held in the hand. */
export const isHandheld = ({ device }: Client): boolean => /^(Mobile|Tablet|iPhone|iPad|Pixel|Galaxy|SM-)/i.test(device);
