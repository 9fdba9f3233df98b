/// <reference types="vite/client" />

interface ImportMetaEnv {
  /** The product's version, of package.json. */
  readonly FAIRWAY_VERSION: string;
  /** Address of the folder with the icons of Font Awesome. */
  readonly FAIRWAY_ICONS: string;
}
