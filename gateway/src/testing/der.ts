/** DER encoding of the few ASN.1 types that certificates need. */
const tagged = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts);
  const length = body.length < 128 ? [body.length] : body.length < 256 ? [0x81, body.length] : [0x82, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
};

export const der = {
  sequence: (...parts: readonly Uint8Array[]) => tagged(0x30, ...parts),
  set: (...parts: readonly Uint8Array[]) => tagged(0x31, ...parts),
  /** Below 2^31. */
  integer: (value: number) => {
    const bytes = Buffer.alloc(5);
    bytes.writeInt32BE(value, 1);
    const start = bytes.findIndex((byte, index) => byte !== 0 || index === 4);
    return tagged(0x02, bytes.subarray((bytes[start] ?? 0) > 127 ? start - 1 : start));
  },
  octetString: (bytes: Uint8Array) => tagged(0x04, bytes),
  bitString: (bytes: Uint8Array) => tagged(0x03, Buffer.from([0]), bytes),
  null: () => tagged(0x05),
  true: () => tagged(0x01, Buffer.from([255])),
  utf8String: (text: string) => tagged(0x0c, Buffer.from(text)),
  generalizedTime: (date: Date) => tagged(0x18, Buffer.from(date.toISOString().replaceAll(/[-:T]|\.\d+/g, ""))),
  /** `[number]` around whole values. */
  explicit: (number: number, ...parts: readonly Uint8Array[]) => tagged(0xa0 | number, ...parts),
  /** `[number]` replacing a value's own tag. */
  implicit: (number: number, bytes: Uint8Array) => tagged(0x80 | number, bytes),
  objectId: (dotted: string) => {
    const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
    const bytes = rest.flatMap((arc) => {
      const sevens = [arc & 127];
      for (let left = arc >> 7; left > 0; left >>= 7) sevens.unshift((left & 127) | 128);
      return sevens;
    });
    return tagged(0x06, Buffer.from([first * 40 + second, ...bytes]));
  },
};
