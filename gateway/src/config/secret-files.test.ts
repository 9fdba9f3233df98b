import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readConfig } from "./config.ts";

async function secretFile(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "fairway-secret-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, "secret"), text);
  return join(folder, "secret");
}

const read = (env: Record<string, string>) => readConfig(env, { demo: false });

it("reads secrets from files, without the line break at the end", async () => {
  const url = "postgres://ada:secret@db.example.org/fairway";
  for (const end of ["", "\n", "\r\n"]) {
    expect(read({ DATABASE_URL_FILE: await secretFile(`${url}${end}`), FAIRWAY_MASTER_KEY_FILE: "" })).toMatchObject({
      databaseUrl: url,
      masterKey: undefined,
      warnings: [],
    });
  }
  const passwordFile = await secretFile("correct horse \n");
  expect(read({ FAIRWAY_ADMIN_USERNAME: "ada", FAIRWAY_ADMIN_PASSWORD_FILE: passwordFile }).firstAdministrator).toEqual({
    username: "ada",
    password: "correct horse ",
  });
});

it("refuses a file that is missing, empty or not valid, and a secret that is given twice, without repeating the secret", async () => {
  const file = await secretFile("hush");
  const empty = await secretFile("\n");
  const missing = join(file, "../other");
  const problems = (env: Record<string, string>): string => {
    try {
      read(env);
    } catch (error) {
      return (error as Error).message;
    }
    return "";
  };
  expect(problems({ DATABASE_URL_FILE: missing })).toBe(`DATABASE_URL_FILE is "${missing}": the file cannot be read (ENOENT).`);
  expect(problems({ DATABASE_URL_FILE: empty })).toBe(`DATABASE_URL_FILE is "${empty}": the file is empty.`);
  expect(problems({ FAIRWAY_MASTER_KEY: "ab".repeat(32), FAIRWAY_MASTER_KEY_FILE: file })).toBe(
    "FAIRWAY_MASTER_KEY and FAIRWAY_MASTER_KEY_FILE are both set: expected one of them.",
  );
  expect(problems({ FAIRWAY_MASTER_KEY_FILE: file })).toBe(
    "FAIRWAY_MASTER_KEY is not valid: expected 32 bytes as 64 hexadecimal digits or as base64.",
  );
});

it("does not read other variables from files", async () => {
  expect(read({ FAIRWAY_HOME_FILE: await secretFile("/srv") }).warnings).toEqual([
    "The environment variable FAIRWAY_HOME_FILE is not one that Fairway knows.",
  ]);
});
