import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeAll, expect, it } from "vitest";
import { rowsOf } from "#query/duckdb/test-files.ts";
import { type TestCertificate, pkcs12, testCertificate } from "#testing/certificates.ts";
import { type RestBench, externalOver, json, restBench } from "./test-upstream.ts";
import { engineCall } from "#testing/engine-call.ts";

const query = { timeRange: null, area: null, conditions: [], sort: [], offset: 0, limit: 10 };
const call = engineCall();
const password = "pässword";

let issuer: TestCertificate;
let server: TestCertificate;
let client: TestCertificate;
beforeAll(() => {
  issuer = testCertificate("Harbour authority");
  server = testCertificate("Harbour upstream", issuer);
  client = testCertificate("Portal", issuer);
});

let bench: RestBench;
afterEach(() => bench.close());

/** Starts an upstream that requires a client certificate of its issuer, and writes the files of the keystore folder. */
async function startUpstream(files: Readonly<Record<string, string | Buffer>> = {}): Promise<RestBench> {
  bench = await restBench({ tls: { key: server.key(), cert: server.pem, ca: issuer.pem, requestCert: true, rejectUnauthorized: true } });
  for (const [name, content] of Object.entries(files)) await writeFile(join(bench.keystoreFolder, name), content);
  bench.respond((_, response, request) => {
    const { socket } = request as unknown as { socket: { getPeerCertificate(): { subject: { CN: string } } } };
    json([{ hello: socket.getPeerCertificate().subject.CN }])({ method: "", url: "", headers: {}, body: "" }, response, request);
  });
  return bench;
}

const keystore = (path: string, type = "PEM", secret = password) => ({ keystoreCredential: { path, type, password: secret } });
const search = async (entity: Record<string, unknown>, url = bench.url) =>
  rowsOf(await bench.engine.search(externalOver(url, {}, entity), query, call));
const problem = async (entity: Record<string, unknown>) => {
  const failure = await search(entity).catch((error: Error & { reason: string }) => error);
  expect(failure).toMatchObject({ reason: "upstream" });
  return (failure as Error).message.replace("The portal's client certificate for this dataset cannot be used. ", "");
};

it("sends a client certificate from a PEM file, whether or not its key is encrypted and in any order", async () => {
  await startUpstream({
    "a.pem": client.key(password) + client.pem + issuer.pem,
    "b.pem": issuer.pem + client.pem + client.key(),
  });
  expect(await search(keystore("a.pem"))).toEqual([{ hello: "Portal" }]);
  expect(await search(keystore("b.pem", "PEM", ""))).toEqual([{ hello: "Portal" }]);
  expect(bench.requests).toHaveLength(2);
});

it("sends a client certificate from a PKCS#12 file and trusts its issuers", async () => {
  await startUpstream({ "a.p12": pkcs12(client, [issuer], password) });
  expect(await search(keystore("a.p12", "PKCS12"))).toEqual([{ hello: "Portal" }]);
  expect(await search(keystore("a.p12", "PKCS12"), bench.url.replace("127.0.0.1", "localhost"))).toEqual([{ hello: "Portal" }]);
});

it("explains the failure if the upstream refuses a client certificate of an unknown issuer", async () => {
  const stranger = testCertificate("Stranger");
  const theirs = testCertificate("Portal", stranger);
  await startUpstream({ "theirs.pem": theirs.key() + theirs.pem + issuer.pem });
  expect(await problem(keystore("theirs.pem", "PEM", ""))).toMatch(/does not accept the portal's client certificate|connection .* failed/);
  expect(bench.requests).toEqual([]);
});

it("does not call an upstream with a certificate of an unknown issuer", async () => {
  const lonely = testCertificate("Lonely");
  const own = testCertificate("Portal", lonely);
  await startUpstream({ "own.pem": own.key() + own.pem + lonely.pem });
  expect(await problem(keystore("own.pem", "PEM", ""))).toMatch(/does not trust the certificate of the service behind this dataset/);
  expect(await problem({})).toMatch(/does not trust the certificate of the service behind this dataset/);
  expect(bench.requests).toEqual([]);
});

it("uses a replaced keystore", async () => {
  await startUpstream({ "a.pem": client.key() + client.pem + issuer.pem });
  expect(await search(keystore("a.pem"))).toEqual([{ hello: "Portal" }]);
  const next = testCertificate("Portal of next year", issuer);
  await writeFile(join(bench.keystoreFolder, "a.pem"), next.key() + next.pem + issuer.pem);
  expect(await search(keystore("a.pem"))).toEqual([{ hello: "Portal of next year" }]);
});

it("explains why a keystore cannot be used, without revealing its password or path", async () => {
  await startUpstream({
    "a.p12": pkcs12(client, [issuer], password),
    "key.pem": client.key(password) + client.pem,
    "other.pem": client.key() + server.pem,
    "two.pem": client.key() + server.key() + client.pem,
    "text.p12": "not a keystore",
  });
  await mkdir(join(bench.keystoreFolder, "folder"));
  await symlink(import.meta.filename, join(bench.keystoreFolder, "link.pem"));
  expect(
    await Promise.all([
      problem(keystore("a.p12", "PKCS12", "hunter-2")),
      problem(keystore("key.pem", "PEM", "hunter-2")),
      problem(keystore("key.pem", "PEM", "")),
      problem(keystore("other.pem")),
      problem(keystore("two.pem")),
      problem(keystore("text.p12", "PKCS12")),
      problem(keystore("a.p12", "PEM")),
      problem(keystore("absent.pem")),
      problem(keystore("folder")),
      problem(keystore("link.pem")),
    ]),
  ).toEqual([
    "The keystore's password is missing or wrong.",
    "The keystore's password is missing or wrong.",
    "The keystore's password is missing or wrong.",
    "The keystore contains no certificate for its private key.",
    "The keystore does not contain exactly one private key.",
    "The keystore is not of the type that is configured.",
    "The keystore does not contain exactly one private key.",
    "The keystore is not in the keystore folder, or cannot be read.",
    "The keystore is not a file of at most 1 MB.",
    "The keystore is outside the keystore folder.",
  ]);
  expect(bench.requests).toEqual([]);
  expect(bench.log.join("\n")).not.toMatch(/hunter-2|pässword/);
});
