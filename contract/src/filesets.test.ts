import { describe, expect, it } from "vitest";
import { filePathProblem, newFilePathProblem } from "./filesets.ts";
import { nameProblems } from "./text.ts";

describe("the path of a new file", () => {
  it.each(["a.txt", "a/b c/ü.txt", "2005-12 (final).csv", "\u{1f468}\u200d\u{1f469}.png", ".hidden"])("may be %j", (path) => {
    expect(newFilePathProblem(path)).toBeUndefined();
  });

  it.each(["a\u202eb", "a\u200eb", "\u200b", "\u2800", "\u00ad\u200d", "a\u200bb", "a\u2029b", "\u{e0041}x"])(
    "has no part that entities may not have as a name: %j",
    (name) => {
      expect(nameProblems(name)).not.toEqual([]);
      for (const path of [name, `folder/${name}`, `${name}/file.txt`, `a/${name}/b`]) {
        expect([path, newFilePathProblem(path)]).toEqual([path, expect.any(String)]);
        expect(filePathProblem(path)).toBeUndefined();
      }
    },
  );
});
