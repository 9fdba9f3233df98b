import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const program = `
  const { fingerprint } = await import(process.argv[1]);
  console.log(await fingerprint(["web", "gateway"]));
`;

function fingerprintWith(openFiles: string): string {
  const module = fileURLToPath(new URL("fingerprint.mjs", import.meta.url));
  const shell = `ulimit -n ${openFiles}; exec "$@"`;
  return execFileSync("sh", ["-c", shell, "sh", process.execPath, "--input-type=module", "-e", program, module], { encoding: "utf8" });
}

it("needs few open files, however many there are", () => {
  const fingerprint = fingerprintWith("100");
  expect(fingerprint).toMatch(/^[\da-f]{64}\n$/);
  expect(fingerprintWith("4096")).toBe(fingerprint);
});
