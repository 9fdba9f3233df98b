import type { Fault } from "./fault.ts";

const tests = ["sdk/test/clients.test.ts"];

export const sdkFaults: readonly Fault[] = [
  {
    name: "quotes within a value end the text of a query for Excel",
    file: "web/src/features/catalog/use/programs.ts",
    from: `.replaceAll('"', '""')}"\`;`,
    to: `}"\`;`,
    tests: ["sdk/test/programs.test.ts"],
  },
  {
    name: "the script for DuckDB does not wait for the portal's file",
    file: "web/src/features/catalog/use/programs.ts",
    from: `"status":"running"'; do`,
    to: `"status":"waiting"'; do`,
    tests: ["sdk/test/programs.test.ts"],
  },
  {
    name: "an export that a Python program does not wait for goes on",
    file: "sdk/python/fairway/exports.py",
    from: 'transport.call("DELETE", export)',
    to: "pass",
    tests: ["sdk/test/clients.test.ts"],
  },
  {
    name: "a search of the TypeScript client ends after its first page",
    file: "sdk/src/client/search.ts",
    from: "if (results.length < max) return;",
    to: "if (results.length <= max) return;",
    tests,
  },
  {
    name: "a day as the end of a search leaves out the day itself",
    file: "sdk/src/client/query.ts",
    from: `day.test(value) && end === "end"`,
    to: `day.test(value) && end === "start"`,
    tests,
  },
  {
    name: "the command line replaces a local file without being told to",
    file: "sdk/src/cli/local-files.ts",
    from: `open(unfinished, "wx")`,
    to: `open(unfinished, "w")`,
    tests,
  },
  {
    name: "the Python client sends the API key to the address of an upload",
    file: "sdk/python/fairway/files.py",
    from: "headers, with_key=False",
    to: "headers, with_key=True",
    tests,
  },
  {
    name: "the record of the wheel has hashes that pip does not accept",
    file: "sdk/build/wheel.mjs",
    from: `.digest("base64url")`,
    to: `.digest("base64")`,
    tests,
  },
];
