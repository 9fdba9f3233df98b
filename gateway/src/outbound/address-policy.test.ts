import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { AddressPolicy, AddressRefused } from "./address-policy.ts";

const strict = new AddressPolicy([]);
const withLoopback = new AddressPolicy(["127.0.0.0/8", "::1"]);

describe("an upstream's address", () => {
  it.each([
    "169.254.169.254",
    "169.254.170.2",
    "127.0.0.1",
    "127.9.9.9",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "100.100.100.200",
    "168.63.129.16",
    "::",
    "::1",
    "fe80::1",
    "fe80::1%lo",
    "febf::1",
    "ff02::1",
    "fd00:ec2::254",
    "fd20:ce::254",
    "::ffff:169.254.169.254",
    "::ffff:a9fe:a9fe",
    "::a9fe:a9fe",
    "64:ff9b::169.254.169.254",
    "2002:a9fe:a9fe::1",
    "nonsense",
    "",
  ])("%s is refused", (address) => expect(strict.allows(address)).toBe(false));

  it.each([
    "93.184.216.34",
    "10.0.0.7",
    "192.168.1.1",
    "172.16.0.1",
    "2606:2800:220:1::1",
    "fd12:3456::1",
    "::ffff:10.0.0.1",
    "2002:0a00:0001::1",
  ])("%s is allowed", (address) => expect(strict.allows(address)).toBe(true));

  it("that is normally refused is allowed if the operator allows it, without allowing others", () => {
    expect(["127.0.0.1", "::1", "::ffff:127.0.0.1"].map((address) => withLoopback.allows(address))).toEqual([true, true, true]);
    expect(["169.254.169.254", "fe80::1"].map((address) => withLoopback.allows(address))).toEqual([false, false]);
  });

  it("that the operator did not list is refused where only listed ones are allowed", () => {
    const listed = new AddressPolicy(["10.0.0.0/8", "fd12::/16"]).listedOnly();
    expect(["10.20.30.40", "fd12:3456::1", "::ffff:10.0.0.1"].map((address) => listed.allows(address))).toEqual([true, true, true]);
    expect(
      ["93.184.216.34", "192.168.1.1", "127.0.0.1", "2606:2800::1", "::ffff:8.8.8.8"].map((address) => listed.allows(address)),
    ).toEqual(Array.from({ length: 5 }, () => false));
  });

  it.each(["10.0.0.7", "172.16.0.1", "192.168.1.1", "100.64.0.1", "fd12:3456::1", "::ffff:10.0.0.1", "127.0.0.1", "169.254.169.254"])(
    "%s is refused where users enter it, unless the operator lists it",
    (address) => {
      expect(AddressPolicy.forUsers([]).allows(address)).toBe(false);
      expect(AddressPolicy.forUsers(["0.0.0.0/0", "::/0"]).allows(address)).toBe(true);
      expect(AddressPolicy.forUsers([]).allows("93.184.216.34")).toBe(true);
    },
  );

  it.each([
    "http://169.254.169.254/",
    "http://0xa9.254.43518/",
    "http://2852039166/",
    "http://[::ffff:169.254.169.254]/",
    "http://127.1/",
    "http://[::1]/",
  ])("is refused in the notation of %s", (url) => expect(() => strict.requireAllowed(new URL(url))).toThrow(AddressRefused));
});

describe("a host name", () => {
  const lookUp = (policy: AddressPolicy, name: string, all: boolean) =>
    promisify(policy.lookup as (name: string, options: object, done: (error: Error | null, addresses: unknown) => void) => void)(name, {
      all,
    });

  it("that resolves to a refused address is refused", async () => {
    await expect(lookUp(strict, "localhost", true)).rejects.toThrow(AddressRefused);
    await expect(lookUp(strict, "localhost", false)).rejects.toThrow(AddressRefused);
  });

  it("resolves to its allowed addresses only", async () => {
    expect(await lookUp(new AddressPolicy(["127.0.0.1"]), "localhost", true)).toEqual([{ address: "127.0.0.1", family: 4 }]);
    expect(await lookUp(new AddressPolicy(["127.0.0.1"]), "localhost", false)).toBe("127.0.0.1");
  });
});
