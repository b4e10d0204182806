import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Embedder, EmbeddingPurpose } from '../../ports/search/embedder.ts'
import type { TableConfig } from '../../ports/search/embedder-config.ts'
import { unitVector } from './unit-vector.ts'
import { readWordTable, type WordTable } from './word-table.ts'

/** Later words of a text do not count. */
const WORDS_PER_TEXT_MAX = 256
/** Longest text that is split into words: these, with long ones among them. */
const TEXT_MAX_CHARS = 4_000
/** Texts between two turns of the thread: 2 ms. */
const TEXTS_PER_TURN = 32
/** `a` of the paper, which tried 1e-3 to 1e-4. */
const SMOOTHING = 1e-3

/**
 * Vectors of texts without a model: the weighted mean of their words, which forgets the order.
 *
 * Frequent words say little, so a word counts `a / (a + p)`, p being how often it is used: Arora,
 * Liang and Ma, "A Simple but Tough-to-Beat Baseline for Sentence Embeddings" (2017). Tables are in
 * the order of frequency, and by Zipf's law `p = 1 / (rank · ln(words))`.
 */
export class TableEmbedder implements Embedder, AsyncDisposable {
  readonly name: string
  readonly fingerprint: string
  readonly dimensions: number
  readonly #config: TableConfig
  readonly #table: Promise<WordTable>

  /** Reads the table in the background; calls wait for it. */
  constructor(config: TableConfig) {
    this.name = config.name
    this.fingerprint = config.fingerprint
    this.dimensions = config.dimensions
    this.#config = config
    this.#table = readWordTable(config)
    // Every call is told.
    this.#table.catch(() => undefined)
  }

  /** Resolves when the table is read. @throws EmbedderUnavailable if it cannot be used */
  async ready(): Promise<void> {
    await this.#table
  }

  async embed(
    texts: readonly string[],
    purpose: EmbeddingPurpose,
    signal: AbortSignal,
  ): Promise<(Float32Array | undefined)[]> {
    signal.throwIfAborted()
    const table = await this.#table
    const { queryPrefix, documentPrefix } = this.#config
    const prefix = purpose === 'query' ? queryPrefix : documentPrefix
    const vectors: (Float32Array | undefined)[] = []
    for (const text of texts) {
      if (vectors.length % TEXTS_PER_TURN === TEXTS_PER_TURN - 1) await nextTurn()
      signal.throwIfAborted()
      vectors.push(this.#embedOne(table, prefix + text))
    }
    return vectors
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve()
  }

  /** @returns undefined for a text without a known word */
  #embedOne(table: WordTable, text: string): Float32Array | undefined {
    const words = text.slice(0, TEXT_MAX_CHARS).match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
    const sum = new Float32Array(this.dimensions)
    const logCount = Math.log(table.wordCount + 1)
    for (const word of words.slice(0, WORDS_PER_TEXT_MAX)) {
      const place = table.placeOf(word) ?? table.placeOf(word.toLowerCase())
      if (place === undefined) continue
      const frequency = 1 / ((place + 1) * logCount)
      table.addTo(sum, place, SMOOTHING / (SMOOTHING + frequency))
    }
    return unitVector(sum)
  }
}
