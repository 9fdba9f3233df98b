/// <reference types="vite/client" />

interface ImportMetaEnv {
  /** The product's version, of package.json. */
  readonly FAIRWAY_VERSION: string;
}
