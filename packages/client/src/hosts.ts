/**
 * The addresses of a service, the preferred one first. A host that fails, or is slower than the
 * next, moves to the end.
 */
export class Hosts {
  #order: readonly string[]

  constructor(urls: string | readonly string[]) {
    this.#order = typeof urls === 'string' ? [urls] : [...urls]
    if (this.#order.length === 0) throw new Error('A client needs the URL of a service')
  }

  get count(): number {
    return this.#order.length
  }

  get first(): string {
    return this.#order[0]!
  }

  /** The host to ask if the first is slow. */
  get next(): string | undefined {
    return this.#order[1]
  }

  /** Another request may have moved it already. */
  leave(host: string): void {
    if (host === this.first) this.#order = [...this.#order.slice(1), host]
  }
}
