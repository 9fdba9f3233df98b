/** A portal. */
export class Fairway {
  readonly url: string;

  constructor({ url }: { url: string }) {
    this.url = url;
  }
}
