import type { CandidateDocument } from '@aisle/engine/candidates'
import type { Analyzer, Schema, SearchPlan } from '@aisle/engine'
import type { ClusterConnection } from '@aisle/opensearch'
import { askBeside } from './asked.ts'
import type { AnswersBeside, Asked } from './asked.ts'
import type { Candidate, KeptCandidates } from './candidate-cache.ts'
import { searchProducts } from './product-searches.ts'
import type { ProductHit, SearchAnswer } from './product-searches.ts'
import type { SearchPlace } from './search-place.ts'

/** What our own formula needs of a document, and who shows it. */
export const SOURCE = ['id', 'key', 'json']
/** Of hits that are put in order: their docKey is the last of what they are sorted by. */
const KEYS_ALONE = { _source: false, stored_fields: '_none_' }

interface ReadStore {
  readonly place: SearchPlace
  readonly schema: Schema
  readonly analyzer: Analyzer
  readonly candidates: KeptCandidates
}

/**
 * The documents among the hits of one search of a store. Searches that ask for documents
 * (`_source: SOURCE`) in an order that ends with the docKey get docKeys alone, and what this node
 * does not have yet is read by a further request.
 */
export class CandidateReader {
  readonly #cluster: ClusterConnection
  readonly #store: ReadStore
  readonly #plan: SearchPlan
  /** All that this search has met: none of it may go while it runs. */
  readonly #met = new Map<number, Candidate>()

  constructor(cluster: ClusterConnection, store: ReadStore, plan: SearchPlan) {
    this.#cluster = cluster
    this.#store = store
    this.#plan = plan
  }

  /** @throws ClusterError */
  async ask(bodies: readonly object[]): Promise<readonly SearchAnswer[]> {
    return (await this.askBeside(bodies, [])).answers
  }

  /** Asks something else in the same request. @throws ClusterError */
  async askBeside(bodies: readonly object[], beside: readonly Asked[]): Promise<AnswersBeside> {
    const { place } = this.#store
    const { deadlineMs } = this.#plan
    const lean = bodies.map(withoutDocuments)
    const asked = await askBeside(this.#cluster, place, lean, beside, deadlineMs)
    return { ...asked, answers: await this.#withDocuments(bodies, asked.answers) }
  }

  /** Reads the documents that are not there yet. */
  async #withDocuments(
    bodies: readonly object[],
    answers: readonly SearchAnswer[],
  ): Promise<readonly SearchAnswer[]> {
    const missing = this.#meet(answers.filter((_, at) => asksForDocuments(bodies[at]!)))
    if (missing.length === 0) return answers
    this.#meet(await this.#search([this.#byKeys(missing)]))
    if (missing.every((docKey) => this.#met.has(docKey))) return answers
    // Another write has replaced one since it was found: hits and documents of the same moment.
    const whole = await this.#search(bodies)
    this.#meet(whole.filter((_, at) => asksForDocuments(bodies[at]!)))
    return whole
  }

  /** Hits of an answer to `ask`, as our own formula needs them. */
  read({ hits }: SearchAnswer): CandidateDocument[] {
    const { slots, phrases, exclusions } = this.#plan
    const needsWords = slots.length + phrases.length + exclusions.length > 0
    return hits.hits.flatMap((hit) => {
      const docKey = keyOf(hit)
      if (docKey === undefined) return []
      return [this.#store.candidates.read(this.#met.get(docKey)!, needsWords, this.#store)]
    })
  }

  /** A document of a hit. */
  document(docKey: number): { readonly id: string; readonly json: Uint8Array } {
    const { id, json } = this.#met.get(docKey)!
    return { id, json: Buffer.from(json) }
  }

  /** @returns docKeys of hits of which the documents are not there */
  #meet(answers: readonly SearchAnswer[]): number[] {
    const { candidates } = this.#store
    const missing: number[] = []
    for (const { hits } of answers) {
      for (const hit of hits.hits) {
        const docKey = keyOf(hit)
        if (docKey === undefined || this.#met.has(docKey)) continue
        const { _source } = hit
        const kept = candidates.get(docKey)
        if (kept !== undefined) this.#met.set(docKey, kept)
        else if (_source === undefined) missing.push(docKey)
        else {
          const candidate = { docKey, id: _source.id, json: _source.json }
          this.#met.set(docKey, candidates.add(candidate))
        }
      }
    }
    return missing
  }

  #byKeys(docKeys: readonly number[]): object {
    return {
      size: docKeys.length,
      track_total_hits: false,
      // As it is stored: to leave out the little that is not needed takes the cluster longer.
      _source: true,
      query: {
        bool: {
          filter: [{ term: { scope: this.#store.place.scope } }, { terms: { key: docKeys } }],
        },
      },
    }
  }

  #search(bodies: readonly object[]): Promise<SearchAnswer[]> {
    const { deadlineMs } = this.#plan
    return searchProducts(this.#cluster, this.#store.place, bodies, { deadlineMs })
  }
}

/** Of a hit with its document, or in an order that ends with the docKey. */
function keyOf({ _source, sort }: ProductHit): number | undefined {
  return _source?.key ?? (sort === undefined ? undefined : Number(sort.at(-1)))
}

function asksForDocuments(body: object): boolean {
  return (body as { readonly _source?: unknown })._source === SOURCE
}

function withoutDocuments(body: object): object {
  return asksForDocuments(body) && 'sort' in body ? { ...body, ...KEYS_ALONE } : body
}
