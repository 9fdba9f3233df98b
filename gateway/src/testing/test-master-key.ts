import { masterKeyOf } from "#secrets/master-key.ts";

export const testMasterKey = masterKeyOf(Buffer.alloc(32, 7));
