/** The largest image that is drawn takes three quarters of it. */
const maxBytes = 268_435_456;

const tooLarge = () => new RangeError("A part of the document is too large when it is unpacked.");

interface Scope {
  Uint8Array: Uint8ArrayConstructor;
  DecompressionStream: typeof DecompressionStream;
}

/**
 * Refuses the arrays that the library would unpack a stream of gigabytes into: a document of a few kilobytes may hold one, and the
 * library has no limit for it. The page that needs it then cannot be shown.
 */
export function boundArrays(scope: Scope, max = maxBytes): void {
  const { Uint8Array: Bytes, DecompressionStream: Unpacking } = scope;
  scope.Uint8Array = new Proxy(Bytes, {
    construct: (target, given: unknown[], called) => {
      if (typeof given[0] === "number" && given[0] > max) throw tooLarge();
      return Reflect.construct(target, given, called === scope.Uint8Array ? target : called) as Uint8Array;
    },
  });
  scope.DecompressionStream = class {
    readonly readable: ReadableStream<Uint8Array<ArrayBuffer>>;
    readonly writable: WritableStream<BufferSource>;

    constructor(format: CompressionFormat) {
      const unpacking = new Unpacking(format);
      let bytes = 0;
      const counted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        transform: (chunk, controller) => {
          bytes += chunk.byteLength;
          if (bytes > max) controller.error(tooLarge());
          else controller.enqueue(chunk);
        },
      });
      this.readable = unpacking.readable.pipeThrough(counted);
      this.writable = unpacking.writable;
    }
  };
}
