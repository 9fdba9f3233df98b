import { type LookupAddress, lookup } from "node:dns";
import { BlockList, type LookupFunction, isIP } from "node:net";
import { Turns } from "#turns/turns.ts";

/** The portal may not call an upstream's address. */
export class AddressRefused extends Error {
  override readonly name = "AddressRefused";
}

/**
 * Addresses of local or cloud services that trust every caller: this machine, link-local addresses, and metadata addresses of
 * clouds outside these ranges.
 */
const refusedRanges = [
  "0.0.0.0/8",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "224.0.0.0/3",
  "::/128",
  "::1/128",
  "fe80::/10",
  "ff00::/8",
  // Alibaba, Azure, Oracle; AWS and Google on IPv6.
  "100.100.100.200/32",
  "168.63.129.16/32",
  "192.0.0.192/32",
  "fd00:ec2::/32",
  "fd20:ce::254/128",
];

/** Networks that are not the internet: users must not reach them through the portal. */
const privateRanges = [
  "10.0.0.0/8",
  "100.64.0.0/10",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "fc00::/7",
  "fec0::/10",
];

const everything = ["0.0.0.0/0", "::/0"];

/**
 * A lookup holds one of few threads, until the name server answers or long after the call was given up. Names that users enter get a
 * part of them, and one user gets one, so that names without a server that answers keep no other lookup waiting.
 */
const lookupsOfUsers = new Turns(
  { turns: 4, perOwner: 1, queue: Infinity, queuePerOwner: Infinity, waitMs: Infinity },
  { subject: "The portal", work: "lookups of names" },
);

/** Decides which addresses the portal may call for URLs that administrators enter, or users. */
export class AddressPolicy {
  readonly #listed: readonly string[];
  readonly #refused: BlockList;
  readonly #allowed: BlockList;
  readonly #lookups: Turns | undefined;

  /** `allowed`: addresses and CIDR ranges that override the refused ranges. */
  constructor(allowed: readonly string[], refused: readonly string[] = refusedRanges, lookups?: Turns) {
    this.#lookups = lookups;
    this.#listed = allowed;
    this.#allowed = blockList(allowed);
    this.#refused = blockList(refused);
  }

  /** For URLs that users enter: refuses private networks as well, unless the operator listed them. */
  static forUsers(allowed: readonly string[]): AddressPolicy {
    return new AddressPolicy(allowed, [...refusedRanges, ...privateRanges], lookupsOfUsers);
  }

  /** Allows only the addresses that the operator listed, for what must not go elsewhere unencrypted. */
  listedOnly(): AddressPolicy {
    return new AddressPolicy(this.#listed, everything, this.#lookups);
  }

  /** Also false for an invalid address. */
  allows(address: string): boolean {
    if (isIP(address) === 0) return false;
    const plain = isIP(address) === 6 ? (embeddedIpv4(address) ?? address) : address;
    const family = isIP(plain) === 6 ? "ipv6" : "ipv4";
    return this.#allowed.check(plain, family) || !this.#refused.check(plain, family);
  }

  /** Throws AddressRefused if the URL's host is a refused IP address, for which `lookup` is not called. */
  requireAllowed({ hostname }: URL): void {
    const host = hostname.replace(/^\[(.*)\]$/, "$1");
    if (isIP(host) !== 0 && !this.allows(host)) throw new AddressRefused(host);
  }

  /** Like Node's `lookup`, but returns only allowed addresses, so that the connection uses a checked address. */
  readonly lookup: LookupFunction = (hostname, options, callback) => {
    const start = (end?: () => void) =>
      lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[] | undefined) => {
        end?.();
        if (error) return callback(error, []);
        const allowed = (addresses ?? []).filter(({ address }) => this.allows(address));
        const [first] = allowed;
        if (first === undefined) return callback(new AddressRefused(hostname), []);
        return options.all === true ? callback(null, allowed) : callback(null, first.address, first.family);
      });
    if (this.#lookups === undefined) start();
    else void this.#lookups.take().then(({ end }) => start(end));
  };
}

function blockList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = "", prefix] = range.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    list.addSubnet(address, prefix === undefined ? (family === "ipv6" ? 128 : 32) : Number(prefix), family);
  }
  return list;
}

/** The IPv4 address embedded in an IPv6 address: mapped, compatible, translated (NAT64) or tunneled (6to4). */
function embeddedIpv4(address: string): string | undefined {
  const words = wordsOf(address);
  const startsWith = (...prefix: number[]) => prefix.every((word, index) => words[index] === word);
  if (startsWith(0x2002)) return dotted(words[1], words[2]);
  const compatible = startsWith(0, 0, 0, 0, 0, 0) && words[6] !== 0;
  const mapped = startsWith(0, 0, 0, 0, 0, 0xffff) || startsWith(0, 0, 0, 0, 0xffff, 0);
  const translated = startsWith(0x64, 0xff9b, 0, 0, 0, 0) || startsWith(0x64, 0xff9b, 1);
  return compatible || mapped || translated ? dotted(words[6], words[7]) : undefined;
}

/** The eight words of a valid IPv6 address. */
function wordsOf(address: string): number[] {
  // The URL parser normalizes it; zones are removed before.
  const plain = new URL(`http://[${address.split("%", 1)[0]}]`).hostname.slice(1, -1);
  const [head = "", tail] = plain.split("::");
  const words = (text: string) =>
    text
      .split(":")
      .filter(Boolean)
      .map((word) => Number.parseInt(word, 16));
  const [before, after] = [words(head), words(tail ?? "")];
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
}

const dotted = (high = 0, low = 0): string => [high >> 8, high & 255, low >> 8, low & 255].join(".");
