/**
 * Messages of the output plugin `pgoutput`, protocol version 1 (PostgreSQL documentation, "Logical
 * Replication Message Formats"). Values are their text, as in COPY.
 */
export type PgoutputMessage =
  | { readonly kind: 'begin' }
  /** @property end LSN after the transaction */
  | { readonly kind: 'commit'; readonly end: bigint }
  | { readonly kind: 'relation'; readonly relation: Relation }
  | { readonly kind: 'insert'; readonly relationId: number; readonly row: Tuple }
  | {
      readonly kind: 'update'
      readonly relationId: number
      /** Key columns if one of them changed, or all columns: as the replica identity says. */
      readonly old: Tuple | undefined
      readonly row: Tuple
    }
  | { readonly kind: 'delete'; readonly relationId: number; readonly old: Tuple }
  | { readonly kind: 'truncate'; readonly relationIds: readonly number[] }

/** The table, as it was when the rows after this message were written. */
export interface Relation {
  readonly id: number
  readonly schema: string
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly typeId: number }[]
}

/** `undefined` is a long value that did not change and was not sent (TOAST). */
export type Tuple = readonly (string | null | undefined)[]

/** @returns `undefined` for messages without interest: types, origins, messages of applications */
export function decodePgoutput(bytes: Buffer): PgoutputMessage | undefined {
  const input = new Input(bytes)
  switch (input.letter()) {
    case 'B':
      return { kind: 'begin' }
    case 'C':
      input.skip(1 + 8)
      return { kind: 'commit', end: input.int64() }
    case 'R':
      return { kind: 'relation', relation: relationOf(input) }
    case 'I': {
      const relationId = input.int32()
      input.skip(1)
      return { kind: 'insert', relationId, row: tupleOf(input) }
    }
    case 'U': {
      const relationId = input.int32()
      const old = input.letter() === 'N' ? undefined : tupleOf(input)
      if (old !== undefined) input.skip(1)
      return { kind: 'update', relationId, old, row: tupleOf(input) }
    }
    case 'D': {
      const relationId = input.int32()
      input.skip(1)
      return { kind: 'delete', relationId, old: tupleOf(input) }
    }
    case 'T': {
      const count = input.int32()
      input.skip(1)
      return { kind: 'truncate', relationIds: Array.from({ length: count }, () => input.int32()) }
    }
    default:
      return undefined
  }
}

function relationOf(input: Input): Relation {
  const id = input.int32()
  const schema = input.text()
  const name = input.text()
  input.skip(1)
  const columns = Array.from({ length: input.int16() }, () => {
    input.skip(1)
    const column = { name: input.text(), typeId: input.int32() }
    input.skip(4)
    return column
  })
  return { id, schema, name, columns }
}

function tupleOf(input: Input): Tuple {
  const count = input.int16()
  const tuple: (string | null | undefined)[] = []
  for (let i = 0; i < count; i++) {
    const kind = input.letter()
    if (kind === 't') tuple.push(input.sized())
    else tuple.push(kind === 'n' ? null : undefined)
  }
  return tuple
}

/** Reads from the front of a message. */
class Input {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  skip(count: number): void {
    this.#at += count
  }

  letter(): string {
    return String.fromCharCode(this.#bytes.readUInt8(this.#at++))
  }

  int16(): number {
    this.#at += 2
    return this.#bytes.readInt16BE(this.#at - 2)
  }

  /** Ids are unsigned. */
  int32(): number {
    this.#at += 4
    return this.#bytes.readUInt32BE(this.#at - 4)
  }

  int64(): bigint {
    this.#at += 8
    return this.#bytes.readBigUInt64BE(this.#at - 8)
  }

  /** A text that ends with a zero byte. */
  text(): string {
    const end = this.#bytes.indexOf(0, this.#at)
    const text = this.#bytes.toString('utf8', this.#at, end)
    this.#at = end + 1
    return text
  }

  /** A text after its length in bytes. */
  sized(): string {
    const length = this.int32()
    this.#at += length
    return this.#bytes.toString('utf8', this.#at - length, this.#at)
  }
}
