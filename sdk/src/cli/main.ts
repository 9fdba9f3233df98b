import { Fairway } from "../client/index.ts";

process.stdout.write(`${new Fairway({ url: process.env["FAIRWAY_URL"] ?? "" }).url}\n`);
