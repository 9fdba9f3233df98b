/** The server is reachable but no longer has this file, because it runs another release. */
export class PartNotFoundError extends Error {
  constructor(file: string) {
    super(`${file} is no longer on the server.`);
    this.name = "PartNotFoundError";
  }
}
