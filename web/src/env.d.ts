/// <reference types="vite/client" />

interface ImportMetaEnv {
  /** The product's version, from package.json. */
  readonly FAIRWAY_VERSION: string;
  /** URL of the folder with the Font Awesome icons. */
  readonly FAIRWAY_ICONS: string;
  /** Address of the file of places. */
  readonly FAIRWAY_PLACES: string;
}
