/**
 * Typed arrays that grow by doubling: private scratch memory of the builders. Hot loops read
 * `.data` directly, up to `.length`.
 */
export class GrowableU8 {
  data: Uint8Array
  length = 0
  constructor(capacity = 1024) {
    this.data = new Uint8Array(capacity)
  }
  push(value: number): void {
    if (this.length === this.data.length) this.reserve(1)
    this.data[this.length++] = value
  }
  reserve(more: number): void {
    if (this.length + more <= this.data.length) return
    const grown = new Uint8Array(Math.max(this.data.length * 2, this.length + more))
    grown.set(this.data.subarray(0, this.length))
    this.data = grown
  }
  /** Appends `bytes[from .. to)`. */
  append(bytes: Uint8Array, from: number, to: number): void {
    this.reserve(to - from)
    // For few bytes a loop is faster than a view.
    if (to - from > 64) this.data.set(bytes.subarray(from, to), this.length)
    else for (let i = from; i < to; i++) this.data[this.length + i - from] = bytes[i]!
    this.length += to - from
  }
  /** Appends an unsigned integer below 2^53 in groups of 7 bits, low groups first. */
  pushVarint(value: number): void {
    this.reserve(8)
    const data = this.data
    let rest = value
    while (rest >= 0x80000000) {
      data[this.length++] = (rest % 128) | 0x80
      rest = Math.floor(rest / 128)
    }
    while (rest >= 0x80) {
      data[this.length++] = (rest & 0x7f) | 0x80
      rest >>>= 7
    }
    data[this.length++] = rest
  }
}

export class GrowableU16 {
  data: Uint16Array
  length = 0
  constructor(capacity = 1024) {
    this.data = new Uint16Array(capacity)
  }
  push(value: number): void {
    if (this.length === this.data.length) this.reserve(1)
    this.data[this.length++] = value
  }
  reserve(more: number): void {
    if (this.length + more <= this.data.length) return
    const grown = new Uint16Array(Math.max(this.data.length * 2, this.length + more))
    grown.set(this.data.subarray(0, this.length))
    this.data = grown
  }
}

export class GrowableU32 {
  data: Uint32Array
  length = 0
  constructor(capacity = 1024) {
    this.data = new Uint32Array(capacity)
  }
  push(value: number): void {
    if (this.length === this.data.length) this.reserve(1)
    this.data[this.length++] = value
  }
  reserve(more: number): void {
    if (this.length + more <= this.data.length) return
    const grown = new Uint32Array(Math.max(this.data.length * 2, this.length + more))
    grown.set(this.data.subarray(0, this.length))
    this.data = grown
  }
}

export class GrowableF64 {
  data: Float64Array
  length = 0
  constructor(capacity = 1024) {
    this.data = new Float64Array(capacity)
  }
  push(value: number): void {
    if (this.length === this.data.length) this.reserve(1)
    this.data[this.length++] = value
  }
  reserve(more: number): void {
    if (this.length + more <= this.data.length) return
    const grown = new Float64Array(Math.max(this.data.length * 2, this.length + more))
    grown.set(this.data.subarray(0, this.length))
    this.data = grown
  }
}
