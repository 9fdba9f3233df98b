import { randomBytes } from "node:crypto";
import { masterKeyOf } from "#secrets/master-key.ts";

/** The master key of this test run. */
export const secretKey = masterKeyOf(randomBytes(32));
