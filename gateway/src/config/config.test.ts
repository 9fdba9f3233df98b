import { readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { testCertificate } from "#testing/certificates.ts";
import { temporaryFolder } from "#testing/portal-process.ts";
import { operatorCommand } from "#testing/run-command.ts";
import { allLimits, allVariables, limitVariableName, limitVariables, namedVariables, unitOf } from "./config-variables.ts";
import { type Config, ConfigurationError, readConfig } from "./config.ts";
import { retiredVariables, withRetiredVariables } from "./retired-variables.ts";
import { checkSettings, operatorSettings } from "./settings-file.ts";

const production = { demo: false };
const demo = { demo: true };

/** The problems that are reported for an invalid environment. */
function problems(env: Record<string, string>, mode = production): string[] {
  try {
    readConfig(env, mode);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message.split("\n");
    throw error;
  }
  return [];
}

async function settingsFile(content: unknown): Promise<string> {
  const path = join(await temporaryFolder(), "settings.json");
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

describe("readConfig", () => {
  it("applies defaults for unset and empty variables", () => {
    const config = readConfig({}, demo);
    expect(config).toMatchObject({
      demo: true,
      host: "127.0.0.1",
      port: 8080,
      logLevel: "info",
      trustedProxies: [],
    });
    expect(config.home).toMatch(/^\/.*\/\.fairway$/);
    expect(config.limits.cellTextCharacters).toBe(200);
    expect(config.securityLimits.lockoutFailuresPerAddress).toBe(5);
    const empty = Object.fromEntries([...allVariables.keys()].map((name) => [name, ""]));
    expect(readConfig(empty, demo)).toEqual(config);
  });

  it("lets external datasets call this machine in the demo only, unless addresses are configured", () => {
    expect(readConfig({}, demo).upstreamAddresses).toEqual(["127.0.0.0/8", "::1"]);
    expect(readConfig({}, production).upstreamAddresses).toEqual([]);
    for (const mode of [demo, production]) {
      expect(readConfig({ FAIRWAY_UPSTREAM_ADDRESSES: "10.0.0.1, fe80::/10" }, mode).upstreamAddresses).toEqual(["10.0.0.1", "fe80::/10"]);
    }
  });

  it("lets webhooks call this machine in the demo only, unless addresses are configured", () => {
    expect(readConfig({}, demo).webhookAddresses).toEqual(["127.0.0.0/8", "::1"]);
    expect(readConfig({}, production).webhookAddresses).toEqual([]);
    expect(readConfig({ FAIRWAY_WEBHOOK_ADDRESSES: "10.1.0.0/16" }, demo).webhookAddresses).toEqual(["10.1.0.0/16"]);
  });

  it("allows the hosts of this machine in the demo and any host in production, unless hosts are configured", () => {
    expect(readConfig({}, demo).allowedHosts).toEqual(["localhost", "127.0.0.1", "[::1]"]);
    expect(readConfig({ HOST: "127.0.0.2" }, demo).allowedHosts).toContain("127.0.0.2");
    expect(readConfig({}, production).allowedHosts).toBeUndefined();
    for (const mode of [demo, production]) {
      expect(readConfig({ ALLOWED_HOSTS: "data.example.org, [::1]:8080" }, mode).allowedHosts).toEqual(["data.example.org", "[::1]:8080"]);
      expect(readConfig({ ALLOWED_HOSTS: "*" }, mode).allowedHosts).toBeUndefined();
    }
    const elsewhere = { PUBLIC_URL: "https://data.example.org", ALLOWED_HOSTS: "localhost" };
    expect(readConfig(elsewhere, production).warnings).toEqual([
      "ALLOWED_HOSTS does not name data.example.org, the host of PUBLIC_URL: people who open that address are refused.",
    ]);
    expect(readConfig({ ...elsewhere, ALLOWED_HOSTS: "data.example.org" }, production).warnings).toEqual([]);
  });

  it("looks for client certificates below the home folder, or where configured", () => {
    expect(readConfig({ FAIRWAY_HOME: "/var/lib/fairway" }, production).keystoreFolder).toBe("/var/lib/fairway/keystores");
    const elsewhere = { FAIRWAY_HOME: "/var/lib/fairway", FAIRWAY_SETTINGS: '{"keystoreFolder":"/etc/keys"}' };
    expect(readConfig(elsewhere, production).keystoreFolder).toBe("/etc/keys");
  });

  it("reads every variable", () => {
    const config = readConfig(
      {
        PORT: "0",
        HOST: "0.0.0.0",
        FAIRWAY_HOME: "/var/lib/fairway",
        DATABASE_URL: "postgres://ada:secret@db.example.org/fairway",
        FAIRWAY_MASTER_KEY: "ab".repeat(32),
        TRUSTED_PROXIES: "10.0.0.0/8, ::1",
        PUBLIC_URL: "https://data.example.org/",
        FAIRWAY_ADMIN_USERNAME: " ada ",
        FAIRWAY_ADMIN_PASSWORD: " secret ",
        LOG_LEVEL: "debug",
        LIMIT_MAP_ITEMS: "500",
        LIMIT_LOGIN_FAILURES_PER_MINUTE: "7",
        FAIRWAY_OPEN: "0",
        FAIRWAY_PRESTO_USER: "portal",
        FAIRWAY_PRESTO_PASSWORD: "a b:c",
        FAIRWAY_S3_ACCESS_KEY_ID: "AKIA123",
        FAIRWAY_S3_SECRET_ACCESS_KEY: "a/b+c",
        FAIRWAY_S3_PATH_STYLE: "0",
      },
      production,
    );
    expect(config).toMatchObject({
      demo: false,
      host: "0.0.0.0",
      port: 0,
      home: "/var/lib/fairway",
      databaseUrl: "postgres://ada:secret@db.example.org/fairway",
      masterKey: "ab".repeat(32),
      trustedProxies: ["10.0.0.0/8", "::1"],
      publicUrl: "https://data.example.org",
      firstAdministrator: { username: "ada", password: " secret " },
      logLevel: "debug",
      openBrowser: false,
      s3: { credentials: { accessKeyId: "AKIA123", secretAccessKey: "a/b+c" }, pathStyle: false, directUploads: false },
      presto: { user: "portal", password: "a b:c", token: undefined, ca: undefined, asUser: false },
      warnings: [],
      limits: { mapItems: 500 },
      securityLimits: { loginFailuresPerMinute: 7 },
    } satisfies Partial<Record<keyof Config, unknown>>);
  });

  it.each([...allVariables.keys()].filter((name) => !["FAIRWAY_HOME", "FAIRWAY_ADMIN_USERNAME", "FAIRWAY_ADMIN_PASSWORD"].includes(name)))(
    "refuses an invalid %s, naming the variable and what is expected",
    (name) => {
      const [problem, ...others] = problems({ [name]: "\u0001 no such value %" });
      expect(problem).toMatch(new RegExp(`^${name}\\b.+(expected .+|there is no such file)\\.$`));
      expect(others).toEqual([]);
    },
  );

  it.each([
    ...["-1", "65536", "80.5", "1e3", "0x50", "80a", "９"].map((value) => ["PORT", value]),
    ...["10.0.0.0/33", "10.0.0", "::/129", "10.0.0.0/-1", "example.org"].map((value) => ["TRUSTED_PROXIES", value]),
    ...["0", "-5", "1.5", "9999999999999999", "NaN"].map((value) => ["LIMIT_MAP_ITEMS", value]),
    ...["mysql://host/db", "host"].map((value) => ["DATABASE_URL", value]),
    ...["p/word", "p#word", "p?word", "p@ss/w#rd%", "p@ss?w", "100%"].map((password) => [
      "DATABASE_URL",
      `postgres://fairway:${password}@127.0.0.1:5432/db`,
    ]),
    ["PUBLIC_URL", "javascript:alert(1)"],
    ["ALLOWED_HOSTS", "https://data.example.org"],
    ["ALLOWED_HOSTS", ","],
  ])("refuses %s=%s", (name = "", value = "") => {
    expect(problems({ [name]: value })).toHaveLength(1);
  });

  it.each(["p@ssword", "p%2Fword", "p%23w%40rd%25"])("takes the database password %s", (password) => {
    expect(problems({ DATABASE_URL: `postgres://fairway:${password}@127.0.0.1:5432/db?options=-c%20role%3Dportal&x=a@b` })).toEqual([]);
  });

  it("says how a database password is written, and prints no part of it", () => {
    const [problem] = problems({ DATABASE_URL: "postgres://fairway:p@ss/w#rd%@127.0.0.1:5432/db" });
    expect(problem).toBe(
      "DATABASE_URL is not valid: expected postgres://user:password@host:port/database, with / ? # % and @ of the password in percent-encoding (# is %23).",
    );
  });

  it("reports all invalid values at once, without secrets", async () => {
    const path = await settingsFile({ banner: { text: "" }, limits: { sampleRows: 0 } });
    const all = problems({
      PORT: "http",
      DATABASE_URL: "hunter2",
      FAIRWAY_MASTER_KEY: "hunter2",
      FAIRWAY_ADMIN_PASSWORD: "hunter2",
      FAIRWAY_SETTINGS: path,
      LIMIT_MAP_ITEMS: "many",
    });
    for (const name of [
      "PORT",
      "DATABASE_URL",
      "FAIRWAY_MASTER_KEY",
      "FAIRWAY_ADMIN_USERNAME",
      "LIMIT_MAP_ITEMS",
      "banner.text:",
      "limits.sampleRows",
    ]) {
      expect(all.filter((problem) => problem.includes(name))).toHaveLength(1);
    }
    expect(all.join("\n")).not.toContain("hunter2");
  });

  it("requires both or neither of the first administrator's variables, with a password that is long enough", () => {
    expect(problems({ FAIRWAY_ADMIN_USERNAME: "ada" })).toEqual([
      "FAIRWAY_ADMIN_PASSWORD is not set: expected both or neither of it and FAIRWAY_ADMIN_USERNAME.",
    ]);
    expect(problems({ FAIRWAY_ADMIN_USERNAME: "ada", FAIRWAY_ADMIN_PASSWORD: "12", LIMIT_PASSWORD_MIN_CHARACTERS: "12" })).toEqual([
      "FAIRWAY_ADMIN_PASSWORD is not valid: expected at least 12 characters.",
    ]);
  });

  it("keeps datasets out of the bucket of own data", () => {
    const env = { FAIRWAY_SETTINGS: JSON.stringify({ ownData: { bucket: "own" } }), FAIRWAY_S3_DATASET_BUCKETS: "lake,OWN/open" };
    expect(problems(env)).toEqual([
      "FAIRWAY_S3_DATASET_BUCKETS names 'own', which is ownData.bucket of the settings: datasets must not read the own data of users. Use another bucket.",
    ]);
    expect(problems({ ...env, FAIRWAY_S3_DATASET_BUCKETS: "lake,owner" })).toEqual([]);
    expect(problems({ FAIRWAY_SETTINGS: JSON.stringify({ ownData: { bucket: "own/data" } }) })).toEqual([
      "FAIRWAY_SETTINGS: ownData.bucket: expected the name of a bucket.",
    ]);
  });

  it("requires both or neither of the variables of an S3 access key, and by default neither", () => {
    expect(problems({ FAIRWAY_S3_SECRET_ACCESS_KEY: "secret" })).toEqual([
      "FAIRWAY_S3_ACCESS_KEY_ID is not set: expected both or neither of it and FAIRWAY_S3_SECRET_ACCESS_KEY.",
    ]);
    expect(readConfig({}, production).s3).toEqual({ credentials: undefined, pathStyle: undefined, directUploads: false });
  });

  it("sends emails where a mail server and a sender are set, without reporting the password", () => {
    const env = { FAIRWAY_SMTP_URL: "smtp://portal:se%20cret@mail.example.org", FAIRWAY_SMTP_FROM: "portal@example.org" };
    const { mail, warnings } = readConfig(env, production);
    expect(mail).toEqual({
      host: "mail.example.org",
      port: 587,
      tls: "required",
      auth: { username: "portal", password: "se cret" },
      from: "portal@example.org",
    });
    expect(warnings).toEqual(["PUBLIC_URL is not set: emails will not link to the portal."]);
    expect(readConfig({}, production).mail).toBeUndefined();
    expect(problems({ FAIRWAY_SMTP_URL: env.FAIRWAY_SMTP_URL })).toEqual([
      "FAIRWAY_SMTP_FROM is not set: expected both or neither of it and FAIRWAY_SMTP_URL.",
    ]);
    for (const url of ["https://mail.example.org", "smtp://hunter2@mail.example.org/path", "smtp://hunter2@mail.example.org?logger=true"]) {
      const [problem, ...others] = problems({ ...env, FAIRWAY_SMTP_URL: url });
      expect(problem).toMatch(/^FAIRWAY_SMTP_URL is not valid: /);
      expect([others, problem?.includes("hunter2")]).toEqual([[], false]);
    }
  });

  it("requires longer passwords with the rules asvs, and the operator's length if that is longer", () => {
    const charactersOf = (env: Record<string, string>) => readConfig(env, production).limits.passwordMinCharacters;
    expect([charactersOf({}), charactersOf({ PASSWORD_RULES: "specification" }), charactersOf({ PASSWORD_RULES: "asvs" })]).toEqual([
      3, 3, 8,
    ]);
    expect(charactersOf({ PASSWORD_RULES: "asvs", LIMIT_PASSWORD_MIN_CHARACTERS: "12" })).toBe(12);
  });

  it("refuses demo mode on anything but loopback", () => {
    for (const HOST of ["127.0.0.1", "127.1.2.3", "::1", "localhost"]) expect(readConfig({ HOST }, demo).host).toBe(HOST);
    for (const HOST of ["0.0.0.0", "::", "192.168.1.2", "example.org", "127.0.0.1.example.org"]) {
      expect(problems({ HOST }, demo)).toEqual([expect.stringMatching(/^HOST is .+ this machine only/)]);
      expect(problems({ HOST }, production)).toEqual([]);
    }
  });

  it("warns about misspelled variables", () => {
    expect(readConfig({ FAIRWAY_HOMES: "x", LIMIT_SAMPLE_ROW: "3", PATH: "/bin" }, demo).warnings).toEqual([
      "The environment variable FAIRWAY_HOMES is not one that Fairway knows.",
      "The environment variable LIMIT_SAMPLE_ROW is not one that Fairway knows.",
    ]);
  });
});

describe("a settings file", () => {
  it("overrides defaults", async () => {
    const banner = { text: "Training data", textColor: "#fff", bgColor: "#060" };
    const page = { name: "wiki", displayName: "Wiki", role: "user", navBar: "docs", url: "https://wiki.example.org/start" };
    const path = await settingsFile({
      banner,
      externalPages: [page],
      disabledLinks: ["Graph", "faq"],
      limits: { sampleRows: 5, sessionDays: 2 },
    });
    const config = readConfig({ FAIRWAY_SETTINGS: path }, production);
    expect(config.settings).toMatchObject({
      banner,
      externalPages: [page],
      disabledLinks: ["Graph", "faq"],
      helpFilesetId: "help",
      feedbackEnabled: true,
    });
    expect([config.limits.sampleRows, config.limits.pageRows, config.securityLimits.sessionDays]).toEqual([5, 25, 2]);
  });

  it("[FAQ-10] names the help fileset, `help` by default, as the operator guide says", async () => {
    expect(readConfig({}, production).settings.helpFilesetId).toBe("help");
    const path = await settingsFile({ helpFilesetId: "handbook" });
    expect(readConfig({ FAIRWAY_SETTINGS: path }, production).settings.helpFilesetId).toBe("handbook");
    const guide = await readFile(new URL("../../../docs/operator-guide.md", import.meta.url), "utf8");
    expect(guide).toMatch(/^\| `helpFilesetId` +\| `help` +\| Id of the fileset with the help/m);
  });

  it("may be the JSON itself", () => {
    const written = {
      limits: { sessionDays: 2, accessTokenSeconds: 60 },
      oidc: { scope: "openid", claims: { roles: "realm_access.roles" }, groupMapping: { staff: "admin" }, takeRoles: true },
      s3: { directUploads: true, cacheFolder: "/var/cache" },
      presto: { asUser: true },
      keystoreFolder: "keys",
      scanCommand: ["/usr/bin/scan", "-"],
    };
    const env = { FAIRWAY_HOME: "/home/portal", OIDC_ISSUER: "https://login.example.org", OIDC_CLIENT_ID: "portal" };
    expect(readConfig({ ...env, FAIRWAY_SETTINGS: ` ${JSON.stringify(written)}` }, production)).toMatchObject({
      securityLimits: { sessionDays: 2, accessTokenSeconds: 60 },
      oidc: {
        scope: "openid",
        claims: { roles: "realm_access.roles", groups: "groups" },
        groupMapping: new Map([["staff", ["admin"]]]),
        takesRoles: true,
        takesGroups: false,
      },
      s3: { directUploads: true },
      s3Datasets: { cacheFolder: "/var/cache" },
      presto: { asUser: true },
      keystoreFolder: "/home/portal/keys",
      scanCommand: ["/usr/bin/scan", "-"],
      warnings: [],
    });
    expect(problems({ FAIRWAY_SETTINGS: '{"scanCommand":["scan"]' })).toEqual([
      expect.stringMatching(/^FAIRWAY_SETTINGS: it is not valid JSON/),
    ]);
    expect(problems({ FAIRWAY_SETTINGS: '{"scanCommand":["scan"]}' })).toEqual([
      "FAIRWAY_SETTINGS: scanCommand.0: expected an absolute path.",
    ]);
  });

  it("is overridden by the environment", async () => {
    const path = await settingsFile({ limits: { mapItems: 5 } });
    expect(readConfig({ FAIRWAY_SETTINGS: path, LIMIT_MAP_ITEMS: "9" }, production).limits.mapItems).toBe(9);
  });

  it.each([
    ["does not exist", undefined, "there is no such file"],
    ["is not JSON", "{", "it is not valid JSON"],
    ["is a list", [], "the file: "],
    ["misspells a name", { banners: null }, 'the file: Unrecognized key: "banners"'],
    ["disables the login", { disabledLinks: ["Login"] }, "disabledLinks.0: Login and UnifiedDatasets cannot be disabled"],
    [
      "points a page at a script",
      { externalPages: [{ name: "x", displayName: "X", role: "user", navBar: "docs", url: "javascript:alert(1)" }] },
      "externalPages.0.url: ",
    ],
    [
      "names map tiles without placeholders",
      { mapTiles: { url: "https://tiles.example.org/0/0/0.png" } },
      "mapTiles.url: expected {z}, {x} and {y}",
    ],
    ["names map tiles with a script URL", { mapTiles: { url: "javascript:{z}{x}{y}" } }, "mapTiles.url: "],
    ["sets a limit to zero", { limits: { sampleRows: 0 } }, "limits.sampleRows: "],
  ])("that %s is refused", async (_case, content, problem) => {
    const path = content === undefined ? "/nowhere/settings.json" : await settingsFile(content);
    expect(problems({ FAIRWAY_SETTINGS: path })).toEqual([expect.stringContaining(`FAIRWAY_SETTINGS (${path}): ${problem}`)]);
  });
});

it("reads the certificates of the query server, and refuses a file without any", async () => {
  const folder = await temporaryFolder();
  const { pem } = testCertificate("Fairway test CA");
  await writeFile(join(folder, "ca.pem"), pem);
  await writeFile(join(folder, "text.pem"), "no certificate");
  const trusting = (name: string) => ({ FAIRWAY_SETTINGS: JSON.stringify({ presto: { ca: join(folder, name) } }) });
  expect(readConfig(trusting("ca.pem"), production).presto).toMatchObject({
    user: "fairway",
    ca: pem,
    asUser: false,
  });
  expect(problems(trusting("text.pem"))).toEqual([expect.stringContaining("contains no certificate in PEM")]);
  expect(problems(trusting("none.pem"))).toEqual([expect.stringContaining("cannot be read")]);
});

describe("the operator guide", () => {
  const guide = readFileSync(new URL("../../../docs/operator-guide.md", import.meta.url), "utf8").split("\n");
  const rows = guide.map((line) => line.split("|").map((cell) => cell.trim()));
  const rowsOf = (names: RegExp) =>
    rows.filter(([, name]) => names.test(name ?? "")).map(([, name, fallback, unit]) => `${name} | ${fallback} | ${unit}`);

  it("lists every variable with its default and its unit", () => {
    const known = Object.entries(namedVariables).map(
      ([name, { fallback, unit }]) => `\`${name}\` | ${fallback === undefined ? "–" : `\`${fallback}\``} | ${unit || "–"}`,
    );
    expect(rowsOf(/^`[A-Z\d_]+`$/).toSorted()).toEqual(known.toSorted());
  });

  it("lists every limit with its variable, its default and its unit", () => {
    const known = [...allLimits].map(([limit, schema]) => {
      const its = limitVariables.has(limit) ? `, \`${limitVariableName(limit)}\`` : "";
      return `\`limits.${limit}\`${its} | \`${schema.parse(undefined)}\` | ${unitOf(limit)}`;
    });
    expect(rowsOf(/^`limits\./).toSorted()).toEqual(known.toSorted());
  });

  it("lists every other setting of the settings file", () => {
    const documented = new Set(rows.flatMap(([, names]) => [...(names ?? "").matchAll(/`([a-z]\w+)(?:\.\w+)*`/g)].map(([, name]) => name)));
    expect(Object.keys(operatorSettings.shape).filter((name) => !documented.has(name))).toEqual([]);
  });
});

describe("a variable that became a setting", () => {
  const advice =
    "in the file that FAIRWAY_SETTINGS names, or run npm run fairway -- settings, which prints that file for the present environment.";

  it("is read, and the warning says what to write instead", () => {
    const { limits, warnings } = readConfig({ LIMIT_STORE_READ_MS: "20000" }, production);
    expect(limits.storeReadMs).toBe(20_000);
    expect(warnings).toEqual([
      `LIMIT_STORE_READ_MS is read from the environment for the last time: set "limits": {"storeReadMs": 20000} ${advice}`,
    ]);
  });

  it("shares one warning with others, which contains no arguments of programs", () => {
    const env = {
      ACCESS_TOKEN_SECONDS: "60",
      LIMIT_SESSION_DAYS: "2",
      FAIRWAY_SCAN_COMMAND: '["/usr/bin/scan","--token=secret"]',
      FAIRWAY_KEYSTORES: "",
    };
    const { scanCommand, securityLimits, warnings } = readConfig(env, production);
    expect([scanCommand, securityLimits.accessTokenSeconds, securityLimits.sessionDays]).toEqual([
      ["/usr/bin/scan", "--token=secret"],
      60,
      2,
    ]);
    expect(warnings).toEqual([
      `ACCESS_TOKEN_SECONDS, FAIRWAY_SCAN_COMMAND and LIMIT_SESSION_DAYS are read from the environment for the last time: set "limits": {"accessTokenSeconds": 60, "sessionDays": 2}, "scanCommand": "…" ${advice}`,
    ]);
  });

  it("gives way to the settings file", async () => {
    const path = await settingsFile({ limits: { sampleRows: 5 }, oidc: { scope: "openid" } });
    const { limits, warnings } = readConfig({ FAIRWAY_SETTINGS: path, LIMIT_SAMPLE_ROWS: "9", OIDC_SCOPE: "openid email" }, production);
    expect(limits.sampleRows).toBe(5);
    expect(warnings).toEqual([
      "OIDC_SCOPE and LIMIT_SAMPLE_ROWS are not used, because the settings that FAIRWAY_SETTINGS names already say it: remove them from the environment.",
    ]);
  });

  it.each([
    ["LIMIT_SAMPLE_ROWS", "0"],
    ["ACCESS_TOKEN_SECONDS", "90000"],
    ["OIDC_TAKE_ROLES", "yes"],
    ["OIDC_GROUP_MAPPING", '{"staff":7}'],
    ["FAIRWAY_SCAN_COMMAND", '["scan"]'],
    ["OIDC_SCOPE", "profile"],
  ])("is refused with a value such as %s=%s", (name, value) => {
    expect(problems({ [name]: value })).toEqual([expect.stringMatching(new RegExp(`^${name} is .+: expected .+\\.$`))]);
  });

  it("has a place in the settings file that takes what it says", () => {
    const samples: Record<string, string> = {
      OIDC_CLIENT_AUTHENTICATION: "post",
      OIDC_SCOPE: "openid",
      OIDC_GROUP_MAPPING: '{"staff":["admin"]}',
      OIDC_REQUIRED_ROLES: "a, b",
      OIDC_REQUIRED_GROUPS: '["a, b"]',
      FAIRWAY_SCAN_COMMAND: '["/usr/bin/scan"]',
    };
    for (const [name, { path, variable }] of retiredVariables) {
      const value = variable.schema.parse(samples[name] ?? "1");
      const { written } = withRetiredVariables({}, new Map([[name, value]]));
      expect([name, checkSettings(written).problems]).toEqual([name, []]);
      expect(path.reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], written)).toEqual(value);
    }
  });

  it("is in the file that the command `settings` prints, without secrets", async () => {
    const cac = { clientId: "portal", clientSecret: "hunter2", authUrl: "https://cards.example.org", issuer: "https://cards.example.org" };
    const path = await settingsFile({ appTitle: "Harbor", cac, limits: { pageRows: 50 } });
    const env = { FAIRWAY_SETTINGS: path, LIMIT_SAMPLE_ROWS: "9", LIMIT_MAP_ITEMS: "9", DATABASE_URL: "postgres://a:hunter2@db/fairway" };
    const { code, out, err } = await operatorCommand(["settings"], env);
    expect(code).toBe(0);
    const { clientSecret, ...shown } = cac;
    expect(JSON.parse(out)).toEqual({ appTitle: "Harbor", cac: shown, limits: { pageRows: 50, sampleRows: 9 } });
    expect(err).toBe("Left out: cac.clientSecret. Set FAIRWAY_CAC_CLIENT_SECRET, or FAIRWAY_CAC_CLIENT_SECRET_FILE, to it.\n");
    expect(out + err).not.toContain(clientSecret);
    const wrong = await operatorCommand(["settings"], { LIMIT_SAMPLE_ROWS: "many" });
    expect([wrong.code, wrong.err]).toEqual([1, 'LIMIT_SAMPLE_ROWS is "many": expected a whole number, at least 1.\n']);
  });
});
