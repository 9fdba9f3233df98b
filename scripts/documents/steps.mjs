// @ts-check
/**
 * One command of the documents, and what has to hold once it has ended.
 * @typedef {object} Step
 * @property {string} command as the documents have it
 * @property {"demo" | "production" | "restored"} [home] whose folder and settings it gets; those meanwhile get the same
 * @property {Readonly<Record<string, string>>} [examples] what is put in the place of invented hosts, paths and names. `{origin}` is the
 * address of the portal that runs meanwhile, `{folder}` a folder for files.
 * @property {RegExp} [says] what it has to print
 * @property {boolean} [isReadyOnly] it runs until it is stopped, and has to say where it is ready
 * @property {readonly Step[]} [meanwhile] steps while it runs
 * @property {string} [input]
 * @property {string} [within] a folder of the clone; `{demo}` is the demo's own
 * @property {readonly string[]} [needs] programs
 * @property {"s3" | "browser"} [needsServer]
 * @property {boolean} [leavesSources] whether it must not change a file of the clone
 * @property {boolean} [changesSources] whether it is meant to change files of the clone, which are put back after it
 */

const backups = { "/backups": "{folder}", "/etc/fairway/backup-passphrase": "{folder}/passphrase" };
const curl = { examples: { "https://portal.example.org": "{origin}" }, needs: ["curl"] };
const compose = /** @type {const} */ ({ within: "deploy/compose", needs: ["openssl"] });
const s3Copy = `aws s3 sync files/help s3://help --exclude ".fairway/*" --exclude "*/.fairway/*"`;

/** In the order in which they run: in a clone of the last commit that nobody has started yet. @type {readonly Step[]} */
export const steps = [
  { command: "npm start -- --verbose", home: "demo", isReadyOnly: true },
  {
    command: "npm start",
    home: "demo",
    isReadyOnly: true,
    meanwhile: [
      { command: `curl -H "X-API-Key: $API_KEY" "https://portal.example.org/api/datasets/schema"`, says: /storm-tracks/, ...curl },
      {
        command: `curl -H "X-API-Key: $API_KEY" "https://portal.example.org/api/datasets/Tropical%20weather/storm-tracks/schema"`,
        says: /"pressure"/,
        ...curl,
      },
      {
        command: `curl -H "X-API-Key: $API_KEY" "https://portal.example.org/api/datasets/Tropical%20weather/storm-tracks/descriptions.csv"`,
        says: /pressure/,
        ...curl,
      },
    ],
  },
  {
    command: s3Copy,
    examples: { "files/help": "files/demo", "s3://help": "s3://demo" },
    within: "{demo}",
    needs: ["aws"],
    needsServer: "s3",
    says: /upload: /,
  },
  {
    command: "npm run start:production",
    home: "production",
    isReadyOnly: true,
    meanwhile: [
      { command: "npm run fairway", says: /Usage: npm run fairway/ },
      { command: "npm run fairway -- doctor", says: /master key/ },
      { command: "npm run --silent fairway -- doctor --json", says: /"problems": 0/ },
      { command: "npm run fairway -- settings", says: /\{/ },
      {
        command: "npm run fairway -- backup /backups/2026-02-03 --passphrase-file=/etc/fairway/backup-passphrase",
        examples: backups,
        says: /2026-02-03/,
      },
      { command: "npm run fairway -- reset-admin ada", input: "Quiet-harbor-7\n", says: /ada/ },
      { command: "npm run fairway -- reset-admin ada < password-file", examples: { "password-file": "{folder}/password" }, says: /ada/ },
      { command: "npm run fairway -- move-own-data" },
    ],
  },
  { command: "npm run fairway -- rotate-master-key", home: "production", says: /new master key/i },
  {
    command: "npm run fairway -- restore /backups/2026-02-03 --passphrase-file=/etc/fairway/backup-passphrase",
    home: "restored",
    examples: backups,
  },
  { command: "npm run build" },
  { command: "npm install", leavesSources: true },
  { command: "npm run dev", home: "demo", isReadyOnly: true },
  { command: "node scripts/record-help.mjs results map", home: "demo", needsServer: "browser", changesSources: true },
  { command: "npm run types" },
  { command: "npm run lint" },
  { command: "npm run format", leavesSources: true },
  { command: "npx vitest run PATH", examples: { PATH: "scripts/titles.test.ts" } },
  { command: "npx vitest run scripts/released-answers.test.ts" },
  { command: "npx vitest run scripts/decisions.test.ts --update", leavesSources: true },
  { command: "npx playwright test --config=e2e/playwright.config.ts NAME", examples: { NAME: "login" }, needsServer: "browser" },
  { command: "npx playwright test --config=e2e/playwright.config.ts NAME --trace=on", examples: { NAME: "login" }, needsServer: "browser" },
  { command: "npm run nets -- make HEAD --only=board", needsServer: "browser" },
  { command: "npm run bench -- --list", says: /searches: / },
  { command: "git show COMMIT:bench/NAME.mjs", examples: { COMMIT: "7936c812", NAME: "engines" }, says: /import/ },
  { command: "git show 775966d8:bench/scale.mjs", says: /import/ },
  { command: "node scripts/keep-release.mjs r2", says: /Recorded \d+ answers in contract\/released\/r2/ },
  { command: "git tag r2 COMMIT", examples: { COMMIT: "HEAD" } },
  { command: "openssl rand -hex 32", says: /^[0-9a-f]{64}$/m, needs: ["openssl"] },
  { command: "cd deploy/compose" },
  { command: "mkdir -m 700 secrets", ...compose },
  { command: "openssl rand -hex 24 > secrets/database-password", ...compose },
  { command: `echo "postgres://fairway:$(cat secrets/database-password)@database:5432/fairway" > secrets/database-url`, ...compose },
  { command: "openssl rand -hex 32 > secrets/master-key", ...compose },
  { command: "openssl rand -base64 18 > secrets/admin-password", ...compose },
  { command: "openssl rand -hex 10 > secrets/s3-access-key", ...compose },
  { command: "openssl rand -hex 24 > secrets/s3-secret-key", ...compose },
  {
    command: String.raw`printf 'ROOT_ACCESS_KEY=%s\nROOT_SECRET_KEY=%s\n' "$(cat secrets/s3-access-key)" "$(cat secrets/s3-secret-key)" > secrets/storage.env`,
    ...compose,
  },
  { command: "chmod 444 secrets/*", ...compose },
  { command: "npx vitest --clearCache" },
];

/** @param {readonly Step[]} some @returns {string[]} the commands of steps and of those meanwhile */
export const commandsOfSteps = (some = steps) => some.flatMap(({ command, meanwhile = [] }) => [command, ...commandsOfSteps(meanwhile)]);
