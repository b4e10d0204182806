import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { ThinClient, type StoreKeys } from '@aisle/testing'

/** Words with plurals, digits and hyphens, which versions may analyse differently. */
const WORDS = ['lanterns', 'wi-fi', 'running', 'shoes', 'usb3', 'boxes', 'copper', 'tents']
const BATCH = 1_000
const PAUSE_MS = 10

/** Results that a search had, in the order in which they were first seen. */
interface Question {
  readonly parameters: object
  readonly results: { readonly result: object; readonly when: string }[]
}

/**
 * A store that nobody writes, whose searches go to all nodes in turn. A version that analyses words
 * differently may change a result, but only once: each is that of the older or of the newer one.
 */
export class StandingCatalog {
  /** Searches that were answered. */
  checked = 0
  readonly #keys: StoreKeys
  readonly #clients: (ThinClient | undefined)[] = []
  readonly #questions: Question[]
  #work: Promise<void> | undefined
  #isOver = false

  private constructor(keys: StoreKeys) {
    this.#keys = keys
    const all = { q: '*', facet_by: 'kind', per_page: 0 }
    const words = WORDS.map((q) => ({ q, per_page: 3, sort_by: 'number:desc' }))
    const filters = [100, 1_000].map((most) => ({ q: '*', filter_by: `number:<${most}` }))
    const asked = [all, ...words, ...filters, { q: 'running shoes', facet_by: 'kind', per_page: 0 }]
    this.#questions = asked.map((parameters) => ({ parameters, results: [] }))
  }

  static async create(client: ThinClient, documents: number): Promise<StandingCatalog> {
    const keys = await client.createStore({ name: 'standing', id: 'standing' })
    const fields = [
      { name: 'title', type: 'string', searchable: true },
      { name: 'kind', type: 'string', facet: true },
      { name: 'number', type: 'int64', sort: true, facet: true },
    ]
    await client.setSchema(keys, { fields })
    for (let from = 0; from < documents; from += BATCH) {
      const lines = Array.from({ length: Math.min(BATCH, documents - from) }, (_, i) =>
        lineOf(from + i),
      )
      await client.bulk(keys, lines)
    }
    return new StandingCatalog(keys)
  }

  /** A node has ended, or has returned under another address. */
  setNode(at: number, url: string | undefined): void {
    this.#clients[at]?.close()
    this.#clients[at] = url === undefined ? undefined : new ThinClient(url)
  }

  start(): void {
    this.#work = this.#ask()
  }

  /** @returns problems: results that are neither the first nor the last one of their search */
  async stop(): Promise<string[]> {
    this.#isOver = true
    await this.#work
    const problems: string[] = []
    const client = this.#clients.find((one) => one !== undefined)
    for (const { parameters, results } of this.#questions) {
      const last = client && (await this.#result(client, parameters))
      const wrong = results.slice(1).filter(({ result }) => !isDeepStrictEqual(result, last))
      if (last === undefined || wrong.length > 0) {
        const shown = JSON.stringify({ first: results[0], wrong: wrong[0], last })
        problems.push(`${JSON.stringify(parameters)}: ${shown}`)
      }
    }
    for (const one of this.#clients) one?.close()
    return problems
  }

  async #ask(): Promise<void> {
    for (let at = 0; !this.#isOver; at++) {
      const client = this.#clients[at % this.#clients.length]
      const question = this.#questions[at % this.#questions.length]!
      const result = client && (await this.#result(client, question.parameters))
      if (result !== undefined) {
        this.checked++
        const isKnown = question.results.some((one) => isDeepStrictEqual(one.result, result))
        const when = `search ${this.checked} on node ${at % this.#clients.length}`
        if (!isKnown) question.results.push({ result, when })
      }
      await sleep(PAUSE_MS)
    }
  }

  /** @returns undefined if the node was killed, is not ready, or says that it had no time */
  async #result(client: ThinClient, parameters: object): Promise<object | undefined> {
    const answer = await client.search(this.#keys, parameters).catch(() => undefined)
    if (answer === undefined || answer.search_cutoff === true) return undefined
    const { found, facet_counts: facets, hits } = answer
    return { found, facets, ids: hits.map((hit) => hit.id) }
  }
}

function lineOf(number: number): string {
  const title = [3, 5, 7].map((step) => WORDS[Math.floor(number / step) % WORDS.length]).join(' ')
  return JSON.stringify({
    id: `n${number}`,
    action: 'upsert',
    data: { title, kind: `kind-${number % 7}`, number },
  })
}
