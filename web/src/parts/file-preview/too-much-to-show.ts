/** A file that arrived whole, but is too much for a browser to show. Reading it again cannot help. */
export class TooMuchToShow extends Error {}
