import { expect, it } from "vitest";
import { parseJson, pathText, problemsOf } from "./editor-problems.ts";

const service = { name: "a", baseUrl: "https://torch.example" };

it.each([
  ['{"a": 1, "b": {"a": 2}}', null],
  ['{"a": 1, "b": 2, "a": 3}', "/a"],
  ['{"a": [1, {"b": 2}, {"c": 3, "d": {}, "c": []}]}', "/a/2/c"],
  ['[[], [{"\\u0061": 1, "a": 2}]]', "/1/0/a"],
])("%s has its duplicate name at %s", (text, path) => {
  const { problem } = parseJson(text);
  expect(problem && pathText(problem.path)).toBe(path);
});

it("reports unknown fields, but not those that the portal adds", () => {
  expect(problemsOf("torch-service", { ...service, enabled: true, version: 3 }, [])).toEqual([]);
  expect(problemsOf("torch-service", { ...service, baseUri: "x" }, [])).toEqual([
    { path: ["baseUri"], message: "This field doesn't exist." },
  ]);
});

it("describes problems in plain words", () => {
  expect(problemsOf("joltSpecifications", { name: "", sourceType: 5, targetType: "b", joltSpec: [{ operation: "sort" }] }, [])).toEqual([
    { path: ["name"], message: "is empty." },
    { path: ["sourceType"], message: "is not a text." },
  ]);
});
