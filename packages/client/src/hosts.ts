/**
 * The addresses of a service, the one to ask first. It stays with a host that answers: one that
 * fails, or is overtaken by the next, goes to the end.
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

  /** The one to ask when the first is slow. */
  get next(): string | undefined {
    return this.#order[1]
  }

  /** Another request may have done so before. */
  leave(host: string): void {
    if (host === this.first) this.#order = [...this.#order.slice(1), host]
  }
}
