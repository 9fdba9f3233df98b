/** The server answers, but no longer has this file: it runs another release. */
export class PartGoneError extends Error {
  constructor(file: string) {
    super(`${file} is not on the server any more.`);
    this.name = "PartGoneError";
  }
}
