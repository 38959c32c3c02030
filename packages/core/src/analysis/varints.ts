/** Numbers as bytes: small ones in one byte, tables of numbers in little-endian order. */

export function byteLengthOf(value: number): number {
  return value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x20_0000 ? 3 : value < 0x1000_0000 ? 4 : 5
}

export class Writer {
  readonly bytes: Uint8Array
  readonly #view: DataView
  #at = 0

  constructor(length: number) {
    this.bytes = new Uint8Array(length)
    this.#view = new DataView(this.bytes.buffer)
  }

  /** A whole number below 2^32, in seven bits a byte. */
  varint(value: number): void {
    let left = value
    while (left >= 0x80) {
      this.bytes[this.#at++] = (left & 0x7f) | 0x80
      left = Math.floor(left / 0x80)
    }
    this.bytes[this.#at++] = left
  }

  uint8(value: number): void {
    this.bytes[this.#at++] = value
  }

  uint16(value: number): void {
    this.#view.setUint16(this.#at, value, true)
    this.#at += 2
  }

  uint32(value: number): void {
    this.#view.setUint32(this.#at, value, true)
    this.#at += 4
  }

  float64(value: number): void {
    this.#view.setFloat64(this.#at, value, true)
    this.#at += 8
  }
}

export class Reader {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  varint(): number {
    let value = 0
    for (let factor = 1; ; factor *= 0x80) {
      const byte = this.#bytes[this.#at++] ?? 0
      value += (byte & 0x7f) * factor
      if (byte < 0x80) return value
    }
  }

  uint8s(length: number): Uint8Array {
    const found = this.#bytes.subarray(this.#at, this.#at + length)
    this.#at += length
    return found
  }

  uint16s(length: number): Uint16Array {
    const found = new Uint16Array(length)
    for (let index = 0; index < length; index++, this.#at += 2) found[index] = this.#view.getUint16(this.#at, true)
    return found
  }

  uint32s(length: number): Uint32Array {
    const found = new Uint32Array(length)
    for (let index = 0; index < length; index++, this.#at += 4) found[index] = this.#view.getUint32(this.#at, true)
    return found
  }

  float64s(length: number): Float64Array {
    const found = new Float64Array(length)
    for (let index = 0; index < length; index++, this.#at += 8) found[index] = this.#view.getFloat64(this.#at, true)
    return found
  }
}
