/** Cost of hashing a password: Argon2id with 19 MiB and two passes, as OWASP recommends. */
export const passwordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
