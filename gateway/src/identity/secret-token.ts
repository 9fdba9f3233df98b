import { createHash, randomBytes } from "node:crypto";

/** A random text of 256 bits. Only its hash is stored: whoever reads the database cannot use it. */
export const newSecret = (): string => randomBytes(32).toString("base64url");

/** Hex. Needs no salt and no cost: 256 random bits cannot be guessed. */
export const hashOfSecret = (secret: string): string => createHash("sha256").update(secret).digest("hex");
