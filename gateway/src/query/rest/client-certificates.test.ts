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

let made: RestBench;
afterEach(() => made.close());

/** An upstream that talks only to holders of a certificate of its issuer, and the files of a keystore folder. */
async function upstream(files: Readonly<Record<string, string | Buffer>> = {}): Promise<RestBench> {
  made = await restBench({ tls: { key: server.key(), cert: server.pem, ca: issuer.pem, requestCert: true, rejectUnauthorized: true } });
  for (const [name, content] of Object.entries(files)) await writeFile(join(made.keystoreFolder, name), content);
  made.respond((_, response, request) => {
    const { socket } = request as unknown as { socket: { getPeerCertificate(): { subject: { CN: string } } } };
    json([{ hello: socket.getPeerCertificate().subject.CN }])({ method: "", url: "", headers: {}, body: "" }, response, request);
  });
  return made;
}

const keystore = (path: string, type = "PEM", secret = password) => ({ keystoreCredential: { path, type, password: secret } });
const ask = async (more: Record<string, unknown>, url = made.url) =>
  rowsOf(await made.engine.search(externalOver(url, {}, more), query, call));
const problem = async (more: Record<string, unknown>) => {
  const failure = await ask(more).catch((error: Error & { reason: string }) => error);
  expect(failure).toMatchObject({ reason: "upstream" });
  return (failure as Error).message.replace("The portal's client certificate for this dataset cannot be used. ", "");
};

it("an upstream that asks for one is called with a certificate of PEM, with the key encrypted or not, in any order", async () => {
  await upstream({
    "a.pem": client.key(password) + client.pem + issuer.pem,
    "b.pem": issuer.pem + client.pem + client.key(),
  });
  expect(await ask(keystore("a.pem"))).toEqual([{ hello: "Portal" }]);
  expect(await ask(keystore("b.pem", "PEM", ""))).toEqual([{ hello: "Portal" }]);
  expect(made.asked).toHaveLength(2);
});

it("and with one of PKCS#12, whose issuers are trusted", async () => {
  await upstream({ "a.p12": pkcs12(client, [issuer], password) });
  expect(await ask(keystore("a.p12", "PKCS12"))).toEqual([{ hello: "Portal" }]);
  expect(await ask(keystore("a.p12", "PKCS12"), made.url.replace("127.0.0.1", "localhost"))).toEqual([{ hello: "Portal" }]);
});

it("without one, or with a stranger's, it does not answer, and the reason is told", async () => {
  const stranger = testCertificate("Stranger");
  const theirs = testCertificate("Portal", stranger);
  await upstream({ "theirs.pem": theirs.key() + theirs.pem + issuer.pem });
  expect(await problem(keystore("theirs.pem", "PEM", ""))).toMatch(/does not take the portal's client certificate|connection .* failed/);
  expect(made.asked).toEqual([]);
});

it("an upstream whose own certificate comes from a stranger is not called", async () => {
  const lonely = testCertificate("Lonely");
  const own = testCertificate("Portal", lonely);
  await upstream({ "own.pem": own.key() + own.pem + lonely.pem });
  expect(await problem(keystore("own.pem", "PEM", ""))).toMatch(/does not trust the certificate of this dataset's upstream/);
  expect(await problem({})).toMatch(/does not trust the certificate of this dataset's upstream/);
  expect(made.asked).toEqual([]);
});

it("a keystore that is replaced is used as it is now", async () => {
  await upstream({ "a.pem": client.key() + client.pem + issuer.pem });
  expect(await ask(keystore("a.pem"))).toEqual([{ hello: "Portal" }]);
  const next = testCertificate("Portal of next year", issuer);
  await writeFile(join(made.keystoreFolder, "a.pem"), next.key() + next.pem + issuer.pem);
  expect(await ask(keystore("a.pem"))).toEqual([{ hello: "Portal of next year" }]);
});

it("a keystore that cannot be used is told apart, without its password or its path", async () => {
  await upstream({
    "a.p12": pkcs12(client, [issuer], password),
    "key.pem": client.key(password) + client.pem,
    "other.pem": client.key() + server.pem,
    "two.pem": client.key() + server.key() + client.pem,
    "text.p12": "not a keystore",
  });
  await mkdir(join(made.keystoreFolder, "folder"));
  await symlink(import.meta.filename, join(made.keystoreFolder, "link.pem"));
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
    "The keystore holds no certificate of its private key.",
    "The keystore does not hold one private key.",
    "The keystore is not of the type that it is said to be.",
    "The keystore does not hold one private key.",
    "The keystore is not in the keystore folder, or cannot be read.",
    "The keystore is not a file of at most 1 MB.",
    "The keystore lies outside the keystore folder.",
  ]);
  expect(made.asked).toEqual([]);
  expect(made.log.join("\n")).not.toMatch(/hunter-2|pässword/);
});
