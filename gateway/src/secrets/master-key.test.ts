import { randomBytes } from "node:crypto";
import { chmod, readFile, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { notStored } from "#secrets/encrypted-column.ts";
import { temporaryFolder } from "#testing/portal-process.ts";
import { UnreadableCiphertext, decodeMasterKey, masterKeyFile, masterKeyOf, openMasterKey } from "./master-key.ts";

const key = masterKeyOf(randomBytes(32));
const context = notStored("place");

describe("encrypted text", () => {
  it("decrypts to the original", () => {
    for (const plain of ["", "ä€🙂", "x".repeat(100_000)]) expect(key.decrypt(key.encrypt(plain, context), "place").toString()).toBe(plain);
    const bytes = randomBytes(64);
    expect(key.decrypt(key.encrypt(bytes, context), "place")).toEqual(bytes);
  });

  it("differs each time and does not contain the plain text", () => {
    expect(key.encrypt("secret", context)).not.toBe(key.encrypt("secret", context));
    expect(Buffer.from(key.encrypt("secret", context)).includes("secret")).toBe(false);
  });

  it("cannot be decrypted in another context, with another key, truncated or modified", () => {
    const text = key.encrypt("secret", notStored("credential:1"));
    const changed = text.slice(0, -3) + (text.at(-3) === "A" ? "B" : "A") + text.slice(-2);
    expect(() => key.decrypt(text, "credential:2")).toThrow(UnreadableCiphertext);
    expect(() => masterKeyOf(randomBytes(32)).decrypt(text, "credential:1")).toThrow(UnreadableCiphertext);
    expect(() => key.decrypt(text.slice(0, 30), "credential:1")).toThrow(UnreadableCiphertext);
    expect(() => key.decrypt(changed, "credential:1")).toThrow(UnreadableCiphertext);
    expect(() => key.decrypt("", "credential:1")).toThrow(UnreadableCiphertext);
  });
});

describe("the master key", () => {
  it("is created on first start, readable by its owner only, and reused later", async () => {
    const home = await temporaryFolder();
    const first = await openMasterKey({ home, masterKey: undefined });
    expect((await stat(masterKeyFile(home))).mode & 0o777).toBe(0o600);
    const again = await openMasterKey({ home, masterKey: undefined });
    expect(again.decrypt(first.encrypt("secret", context), "place").toString()).toBe("secret");
    expect(await readdir(home)).toEqual(["master.key"]);
  });

  it("is the same for gateways that start at the same time", async () => {
    const home = await temporaryFolder();
    const keys = await Promise.all(Array.from({ length: 8 }, () => openMasterKey({ home, masterKey: undefined })));
    expect(new Set(keys.map(({ id }) => id)).size).toBe(1);
  });

  it("is restricted to its owner again after its file was readable by others", async () => {
    const home = await temporaryFolder();
    await openMasterKey({ home, masterKey: undefined });
    await chmod(masterKeyFile(home), 0o644);
    await openMasterKey({ home, masterKey: undefined });
    expect((await stat(masterKeyFile(home))).mode & 0o777).toBe(0o600);
  });

  it("is the operator's if configured, in hexadecimal or base64", async () => {
    const home = await temporaryFolder();
    const bytes = randomBytes(32);
    const spellings = [bytes.toString("hex"), bytes.toString("base64"), bytes.toString("base64url"), ` ${bytes.toString("hex")}\n`];
    for (const masterKey of spellings) expect((await openMasterKey({ home, masterKey })).id).toBe(masterKeyOf(bytes).id);
    expect(await readdir(home)).toEqual([]);
  });

  it("is not replaced if its file is invalid, which fails the start", async () => {
    const home = await temporaryFolder();
    await writeFile(join(home, "master.key"), "not a key", { mode: 0o600 });
    await expect(openMasterKey({ home, masterKey: undefined })).rejects.toThrow(/master\.key does not contain a master key/);
    expect(await readFile(join(home, "master.key"), "utf8")).toBe("not a key");
  });

  it.each(["", "abc", "z".repeat(64), randomBytes(31).toString("hex"), randomBytes(33).toString("base64")])("cannot be %j", (text) => {
    expect(decodeMasterKey(text)).toBeUndefined();
  });
});
