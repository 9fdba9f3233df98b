import { createHash, randomBytes } from "node:crypto";

/** A random text of 256 bits. Only its hash is stored, so that a leaked database does not expose it. */
export const newSecret = (): string => randomBytes(32).toString("base64url");

/** SHA-256, hex. 256 random bits need neither a salt nor a slow hash. */
export const hashOfSecret = (secret: string): string => createHash("sha256").update(secret).digest("hex");
