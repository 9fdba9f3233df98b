import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { answerSchemas, incompatibilities } from "./lib/answer-schemas.mjs";
import { checkout } from "./lib/checkout.mjs";
import { readReleases, releaseFolder } from "./lib/release.mjs";

const releases = (await readReleases()).map(({ name }) => name);

const sources = (await readdir(join(checkout, "contract/src"))).filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));
const present = answerSchemas(await Promise.all(sources.map((file) => import(join(checkout, "contract/src", file)) as Promise<unknown>)));

it.each(releases)("answers contain every field of %s with the same type", async (release) => {
  const text = await readFile(join(releaseFolder(release), "answers.json"), "utf8");
  const released = JSON.parse(text) as typeof present;
  expect(Object.keys(released).length).toBeGreaterThan(200);
  const advice = "Clients of the release rely on it: keep the field and its type, and add what is new as another field.";
  expect(incompatibilities(released, present), advice).toEqual([]);
});

describe("an answer", () => {
  const object = (properties: object, required: string[] = Object.keys(properties)) => ({ type: "object", properties, required });
  const text = { type: "string" };
  const found = (before: object, now: object) => incompatibilities({ "GET /a": { ...before } }, { "GET /a": { ...now } });

  it.each([
    ["a removed field", object({ name: text, id: text }), object({ id: text }), "GET /a: the answer.name is gone."],
    [
      "a field of another type",
      object({ id: text }),
      object({ id: { type: "number" } }),
      "GET /a: the answer.id was of type string and is now number.",
    ],
    ["a field that may now be missing", object({ id: text }), object({ id: text }, []), "GET /a: the answer.id may now be missing."],
    [
      "a field that may now be null",
      object({ id: text }),
      object({ id: { anyOf: [text, { type: "null" }] } }),
      'GET /a: the answer.id may now be {"type":"null"}.',
    ],
    [
      "elements with a removed field",
      { type: "array", items: { $ref: "#/$defs/A" }, $defs: { A: object({ id: text }) } },
      { type: "array", items: object({}) },
      "GET /a: the answer[].id is gone.",
    ],
  ])("with %s breaks older clients", (_, before, now, sentence) => {
    expect(found(before, now)).toEqual([sentence]);
  });

  it("with new fields and values, or no longer null, breaks no client", () => {
    const before = object({ kind: { type: "string", enum: ["a"] }, count: { anyOf: [{ type: "number" }, { type: "null" }] } });
    const now = object({ kind: { type: "string", enum: ["a", "b"] }, count: { type: "integer" }, more: text });
    expect(found(before, now)).toEqual([]);
  });

  it("of a removed route breaks older clients", () => {
    expect(incompatibilities({ "GET /a": {} }, {})).toEqual(["GET /a is gone."]);
  });
});
