// @ts-check
// `npm start` and `npm run start:production`. Packages may not be installed yet and Node.js may be outdated, so this file must
// only use syntax and modules that old versions support.
import process from "node:process";

const minVersion = { major: 20, minor: 19 };
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < minVersion.major || (major === minVersion.major && minor < minVersion.minor)) {
  console.error(
    `Fairway needs Node.js ${minVersion.major}.${minVersion.minor} or newer, and this is ${process.versions.node}: install a newer one from https://nodejs.org.`,
  );
  process.exitCode = 1;
} else {
  void import("./lib/launcher.mjs").then(({ launch }) => launch(process.argv.slice(2)));
}
