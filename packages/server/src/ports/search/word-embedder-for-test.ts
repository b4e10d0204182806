import { hash } from 'node:crypto'
import { EmbedderUnavailable, type Embedder, type Embedders } from './embedder.ts'

/**
 * A model for tests: a text is the sum of its words, and each word has a direction, which
 * synonyms share.
 */
export class WordEmbedder implements Embedder {
  readonly name: string
  readonly fingerprint: string
  readonly dimensions: number
  /** By word: the word whose direction it has. */
  readonly synonyms: Readonly<Record<string, string>>
  /** All texts that were embedded, in order. */
  readonly texts: string[] = []
  /** It is unavailable while this is set. */
  isDown = false
  /** Refuses texts with this word. */
  refused: string | undefined
  /** It answers when this resolves. */
  gate: Promise<void> = Promise.resolve()

  constructor({
    name = 'words',
    fingerprint = name,
    dimensions = 32,
    synonyms = {},
  }: Partial<Pick<WordEmbedder, 'name' | 'fingerprint' | 'dimensions' | 'synonyms'>> = {}) {
    this.name = name
    this.fingerprint = fingerprint
    this.dimensions = dimensions
    this.synonyms = synonyms
  }

  async embed(texts: readonly string[]): Promise<readonly (Float32Array | undefined)[]> {
    await this.gate
    if (this.isDown) throw new EmbedderUnavailable('The model is down', { retryAfterMs: 5 })
    this.texts.push(...texts)
    return texts.map((text) => this.vectorOf(text))
  }

  vectorOf(text: string): Float32Array | undefined {
    const words: readonly string[] = text.toLowerCase().match(/\p{L}+/gu) ?? []
    if (this.refused !== undefined && words.includes(this.refused)) return undefined
    const sum = new Float32Array(this.dimensions)
    for (const word of words) {
      const direction = this.#directionOf(this.synonyms[word] ?? word)
      direction.forEach((value, i) => (sum[i]! += value))
    }
    const length = Math.hypot(...sum)
    return length === 0 ? sum.fill(1 / Math.sqrt(this.dimensions)) : sum.map((n) => n / length)
  }

  #directionOf(word: string): Float32Array {
    const direction = new Float32Array(this.dimensions)
    for (let i = 0; i < this.dimensions; i += 32) {
      const bytes = hash('sha256', `${word} ${i}`, 'buffer')
      bytes.forEach((byte, k) => {
        if (i + k < this.dimensions) direction[i + k] = byte / 127.5 - 1
      })
    }
    return direction
  }
}

/** The embedders of an installation, which a test may change between two starts. */
export function embeddersOf(...embedders: readonly Embedder[]): Embedders {
  return {
    names: () => embedders.map(({ name }) => name),
    get: (name) => embedders.find((one) => one.name === name),
  }
}
