import { createHmac } from 'node:crypto'

const DAY_MS = 86_400_000
const HASH_CHARS = 16
/** Number of clients with cached hashes; the busiest of a day recur. */
const REMEMBERED_MAX = 10_000

export interface AddressHashes {
  /**
   * Hash of the address and the day: tells visitors without an id apart within a day, and does not
   * track them longer.
   */
  readonly client: string
  /**
   * The network of the address (IPv4 /24, IPv6 /48): shows whether many visitors come from many
   * places.
   */
  readonly network: string
}

/**
 * Replaces client addresses in the log. There are few IPv4 addresses, so a plain hash can be
 * reversed by trying them all; this one is keyed with a secret of the installation.
 */
export class AddressHasher {
  readonly #key: string
  #day = -1
  #remembered = new Map<string, AddressHashes>()

  constructor(key: string) {
    this.#key = key
  }

  hash(address: string, nowMs: number): AddressHashes {
    const day = Math.floor(nowMs / DAY_MS)
    if (day !== this.#day || this.#remembered.size >= REMEMBERED_MAX) {
      this.#day = day
      this.#remembered = new Map()
    }
    let hashes = this.#remembered.get(address)
    if (hashes === undefined) {
      hashes = {
        client: this.#of(`client ${day} ${address}`),
        network: this.#of(`network ${networkOf(address)}`),
      }
      this.#remembered.set(address, hashes)
    }
    return hashes
  }

  #of(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64url').slice(0, HASH_CHARS)
  }
}

/** The first 24 bits of an IPv4 address, the first 48 of an IPv6 one. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address
  if (!mapped.includes(':')) return mapped.split('.').slice(0, 3).join('.')
  const [head = '', tail] = mapped.toLowerCase().split('%')[0]!.split('::')
  const groups = head === '' ? [] : head.split(':')
  if (tail !== undefined) {
    const behind = tail === '' ? 0 : tail.split(':').length
    while (groups.length + behind < 8) groups.push('0')
    if (tail !== '') groups.push(...tail.split(':'))
  }
  return groups
    .slice(0, 3)
    .map((group) => group.replace(/^0+(.)/, '$1'))
    .join(':')
}
