// @ts-check
// `npm start` and `npm run start:production`. Nothing may be installed yet, and Node may be any: only what an old one can read.
import process from "node:process";

const oldest = { major: 20, minor: 19 };
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < oldest.major || (major === oldest.major && minor < oldest.minor)) {
  console.error(
    `Fairway needs Node.js ${oldest.major}.${oldest.minor} or newer, and this is ${process.versions.node}: install a newer one from https://nodejs.org.`,
  );
  process.exitCode = 1;
} else {
  void import("./lib/launcher.mjs").then(({ launch }) => launch(process.argv.slice(2)));
}
