import { type Data, type Field, RecordBatch, RecordBatchStreamWriter, Schema, Struct, makeData } from "apache-arrow";

/** Whole messages of an Arrow IPC stream, and how many rows they hold. Concatenated, the parts are a stream. */
export interface ArrowPart {
  readonly bytes: Uint8Array;
  readonly rows: number;
}

/** Encodes record batches as an Arrow IPC stream. Decision 0599. */
export class IpcStream {
  readonly #schema: Schema;
  readonly #writer = new MessageWriter();

  constructor(fields: readonly Field[]) {
    this.#schema = new Schema([...fields]);
    this.#writer.reset(undefined, this.#schema);
  }

  /**
   * The next batch; the first one comes with the schema. Its buffers must not change any more. `hasMore`: it is the last one, and more
   * rows match, which its metadata say.
   */
  batch(columns: readonly Data[], rows: number, hasMore = false): ArrowPart {
    const type = new Struct(this.#schema.fields);
    const data = makeData({ type, length: rows, nullCount: 0, nullBitmap: null, children: [...columns] });
    this.#writer.write(new RecordBatch(this.#schema, data, hasMore ? new Map([["hasMore", "true"]]) : undefined));
    return { bytes: this.#writer.taken(), rows };
  }

  /** The end of the stream, with the schema if there was no batch. */
  end(): ArrowPart {
    this.#writer.finish();
    return { bytes: this.#writer.taken(), rows: 0 };
  }
}

/** Hands out what it writes at once instead of keeping it for a reader. */
class MessageWriter extends RecordBatchStreamWriter {
  #pieces: Uint8Array[] = [];

  constructor() {
    super({ autoDestroy: false });
  }

  taken(): Uint8Array {
    const pieces = this.#pieces;
    this.#pieces = [];
    return Buffer.concat(pieces);
  }

  protected override _write(chunk: ArrayBufferView): this {
    this.#pieces.push(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    return this;
  }
}
