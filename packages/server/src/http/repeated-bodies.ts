import { OBJECT_KEYS_MAX } from '@aisle/contract'
import { parseExact } from '../domain/json/json-scan.ts'

/**
 * Limits of the cache: its bodies, which it drops together when full, and the bytes of each body.
 */
const BODIES_MAX = 1_024
const BODY_MAX_BYTES = 1_024
/** The parameter in the body of every search that expects to be repeated. */
const MARK = 'cache_results'

/**
 * Parses bodies, once for a search that is sent repeatedly: equal bytes give the same frozen
 * object, so that values derived from it can be cached in a WeakMap.
 */
export class RepeatedBodies {
  readonly #known = new Map<string, unknown>()

  /** @throws ApiError as `parseExact` */
  parse(bytes: Uint8Array): unknown {
    if (bytes.length > BODY_MAX_BYTES) return parseExact(bytes, OBJECT_KEYS_MAX)
    // A character per byte: different bytes are different texts.
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
    if (!text.includes(MARK)) return parseExact(bytes)
    const known = this.#known.get(text)
    if (known !== undefined) return known
    const value = frozen(parseExact(bytes))
    if (this.#known.size === BODIES_MAX) this.#known.clear()
    this.#known.set(text, value)
    return value
  }
}

/** Freezes as deep as `parseExact` allows JSON to be. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const member of Object.values(value)) frozen(member)
  return Object.freeze(value)
}
