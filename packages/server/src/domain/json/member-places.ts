import { afterSpace, BACKSLASH, COMMA, insideObject, QUOTE } from './byte-members.ts'
import { stringEnd, valueEnd } from './byte-members.ts'
import { asBuffer, scanMembers } from './json-scan.ts'

const ID = Buffer.from('"id"')
const NO_BYTES = Buffer.alloc(0)

/**
 * Finds the values of some members, in one stored document after another. One walk over the keys
 * takes a fifth of the time of parsing a document.
 */
export class MemberPlaces {
  readonly #names: readonly string[]
  /** The same as JSON. */
  readonly #keys: readonly Buffer[]
  /** Offsets of the value and of its end, by name; -1: there is none. */
  readonly #starts: number[]
  readonly #ends: number[]
  #json: Buffer = NO_BYTES
  #hasId = false

  constructor(names: readonly string[]) {
    this.#names = names
    this.#keys = names.map((name) => Buffer.from(JSON.stringify(name)))
    this.#starts = names.map(() => -1)
    this.#ends = names.map(() => -1)
  }

  /** The document that was read last. */
  get json(): Buffer {
    return this.#json
  }

  /** Whether the document has a member `id`. */
  get hasId(): boolean {
    return this.#hasId
  }

  /** @param json a well-formed object, which must not change while its members are read */
  read(json: Uint8Array): void {
    this.#json = asBuffer(json)
    this.#starts.fill(-1)
    this.#hasId = false
    if (!this.#walk(this.#json)) this.#scan(json)
  }

  /**
   * Returns the offset of the value of a name, by its number, or -1. The last repeated key counts.
   */
  start(name: number): number {
    return this.#starts[name]!
  }

  /** Returns the offset of its end. */
  end(name: number): number {
    return this.#ends[name]!
  }

  /** @returns false if a key has an escape */
  #walk(json: Buffer): boolean {
    const keys = this.#keys
    let at = insideObject(json)
    while (json[at] === QUOTE) {
      const keyEnd = stringEnd(json, at)
      const start = afterSpace(json, afterSpace(json, keyEnd) + 1)
      const end = valueEnd(json, start)
      for (let name = 0; name < keys.length; name++) {
        if (!isSame(json, at, keyEnd, keys[name]!)) continue
        this.#starts[name] = start
        this.#ends[name] = end
      }
      if (isSame(json, at, keyEnd, ID)) this.#hasId = true
      for (let i = at; i < keyEnd; i++) if (json[i] === BACKSLASH) return false
      at = afterSpace(json, end)
      if (json[at] === COMMA) at = afterSpace(json, at + 1)
    }
    return true
  }

  #scan(json: Uint8Array): void {
    const members = scanMembers(json)
    this.#hasId = members.some(({ key }) => key === 'id')
    for (const [number, name] of this.#names.entries()) {
      const member = members.findLast(({ key }) => key === name)
      this.#starts[number] = member?.start ?? -1
      this.#ends[number] = member?.end ?? -1
    }
  }
}

function isSame(json: Uint8Array, from: number, to: number, key: Uint8Array): boolean {
  if (to - from !== key.length) return false
  for (let i = 0; i < key.length; i++) if (json[from + i] !== key[i]) return false
  return true
}
