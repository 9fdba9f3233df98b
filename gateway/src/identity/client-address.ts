import { isIPv6 } from "node:net";

/**
 * The part of a client's address that limits apply to: an IPv6 /64, because one customer usually has all of it, or a single IPv4
 * address, even in IPv6 notation.
 */
export function addressKey(ip: string): string {
  const [address = ip] = ip.split("%");
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  return isIPv6(address) ? `${firstGroups(address).join(":")}::/64` : address;
}

function firstGroups(address: string): string[] {
  const [before = "", after] = address.split("::");
  const head = before === "" ? [] : before.split(":");
  const tail = after === undefined || after === "" ? [] : after.split(":");
  // A dotted tail (64:ff9b::192.0.2.1) counts as two groups.
  const tailLength = tail.length + (tail.at(-1)?.includes(".") === true ? 1 : 0);
  const zeros = after === undefined ? 0 : 8 - head.length - tailLength;
  const groups = [...head, ...Array.from({ length: zeros }, () => "0"), ...tail];
  return groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
}
