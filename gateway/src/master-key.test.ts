import { randomBytes } from "node:crypto";
import { chmod, readFile, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "#testing/portal-process.ts";
import { UnreadableCiphertext, decodeMasterKey, masterKeyFile, masterKeyOf, openMasterKey, reencrypt } from "./master-key.ts";

const key = masterKeyOf(randomBytes(32));

describe("an encrypted text", () => {
  it("comes back, whatever it holds", () => {
    for (const plain of ["", "ä€🙂", "x".repeat(100_000)]) expect(key.decrypt(key.encrypt(plain, "place"), "place").toString()).toBe(plain);
    const bytes = randomBytes(64);
    expect(key.decrypt(key.encrypt(bytes, "place"), "place")).toEqual(bytes);
  });

  it("is another one each time and does not show what it holds", () => {
    expect(key.encrypt("secret", "place")).not.toBe(key.encrypt("secret", "place"));
    expect(Buffer.from(key.encrypt("secret", "place")).includes("secret")).toBe(false);
  });

  it("is not read in another place, under another key, cut short or changed", () => {
    const text = key.encrypt("secret", "credential:1");
    const changed = text.slice(0, -3) + (text.at(-3) === "A" ? "B" : "A") + text.slice(-2);
    expect(() => key.decrypt(text, "credential:2")).toThrow(UnreadableCiphertext);
    expect(() => masterKeyOf(randomBytes(32)).decrypt(text, "credential:1")).toThrow(UnreadableCiphertext);
    expect(() => key.decrypt(text.slice(0, 30), "credential:1")).toThrow(UnreadableCiphertext);
    expect(() => key.decrypt(changed, "credential:1")).toThrow(UnreadableCiphertext);
    expect(() => key.decrypt("", "credential:1")).toThrow(UnreadableCiphertext);
  });

  it("moves to a new key once", () => {
    const to = masterKeyOf(randomBytes(32));
    const moved = reencrypt(key.encrypt("secret", "place"), "place", { from: key, to });
    expect(to.decrypt(moved, "place").toString()).toBe("secret");
    expect(reencrypt(moved, "place", { from: key, to })).toBe(moved);
  });
});

describe("the installation's key", () => {
  it("is made at the first start, readable by its owner only, and stays", async () => {
    const home = await temporaryFolder();
    const first = await openMasterKey({ home, masterKey: undefined });
    expect((await stat(masterKeyFile(home))).mode & 0o777).toBe(0o600);
    const again = await openMasterKey({ home, masterKey: undefined });
    expect(again.decrypt(first.encrypt("secret", "place"), "place").toString()).toBe("secret");
    expect(await readdir(home)).toEqual(["master.key"]);
  });

  it("is one and the same for gateways that start at the same moment", async () => {
    const home = await temporaryFolder();
    const keys = await Promise.all(Array.from({ length: 8 }, () => openMasterKey({ home, masterKey: undefined })));
    expect(new Set(keys.map(({ id }) => id)).size).toBe(1);
  });

  it("is closed to others again when its file was opened to them", async () => {
    const home = await temporaryFolder();
    await openMasterKey({ home, masterKey: undefined });
    await chmod(masterKeyFile(home), 0o644);
    await openMasterKey({ home, masterKey: undefined });
    expect((await stat(masterKeyFile(home))).mode & 0o777).toBe(0o600);
  });

  it("is the operator's where one is given, in hexadecimal or base64", async () => {
    const home = await temporaryFolder();
    const bytes = randomBytes(32);
    const spellings = [bytes.toString("hex"), bytes.toString("base64"), bytes.toString("base64url"), ` ${bytes.toString("hex")}\n`];
    for (const masterKey of spellings) expect((await openMasterKey({ home, masterKey })).id).toBe(masterKeyOf(bytes).id);
    expect(await readdir(home)).toEqual([]);
  });

  it("refuses a file that holds no key, in one sentence, and leaves it alone", async () => {
    const home = await temporaryFolder();
    await writeFile(join(home, "master.key"), "not a key", { mode: 0o600 });
    await expect(openMasterKey({ home, masterKey: undefined })).rejects.toThrow(/master\.key does not hold a master key/);
    expect(await readFile(join(home, "master.key"), "utf8")).toBe("not a key");
  });

  it.each(["", "abc", "z".repeat(64), randomBytes(31).toString("hex"), randomBytes(33).toString("base64")])("is not %j", (text) => {
    expect(decodeMasterKey(text)).toBeUndefined();
  });
});
