import type { Limits } from "@fairway/contract/limits";

/** Everything the environment decides, read once. */
export interface Config {
  /** Demo mode: demo data, demo accounts, loopback only. */
  readonly demo: boolean;
  readonly host: string;
  readonly port: number;
  /** Absolute path of the folder that holds everything the portal writes. */
  readonly home: string;
  /** Where the built web app is. */
  readonly webRoot: string;
  /** Undefined: the embedded PostgreSQL below `home`. */
  readonly databaseUrl: string | undefined;
  /** 32 bytes, base64 or hex; undefined: a file below `home`, made at first start. */
  readonly masterKey: string | undefined;
  readonly trustedProxies: readonly string[];
  readonly firstAdministrator: { username: string; password: string } | undefined;
  readonly logLevel: "debug" | "info" | "warn" | "error" | "silent";
  /** Operator's settings file (JSON): banner, disabled links, category descriptions, limits; undefined: defaults. */
  readonly settingsFile: string | undefined;
  readonly accessTokenSeconds: number;
  readonly limits: Limits;
}
