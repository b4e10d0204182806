import { createReadStream } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { EmbedderUnavailable } from '../../ports/search/embedder.ts'
import type { TableConfig } from '../../ports/search/embedder-config.ts'

/** Parsed between two turns of the thread: about 5 ms. */
const PIECE_BYTES = 64_000
const BLOCK_WORDS = 16_384
const LINE_MAX_CHARS = 100_000

/** Number of numbers behind the second word, which is one in every known form of the file. */
export async function firstWordLength(path: string): Promise<number | undefined> {
  const file = createReadStream(path, { encoding: 'utf8', end: LINE_MAX_CHARS })
  const pieces: unknown[] = []
  for await (const piece of file) pieces.push(piece)
  const [first = '', second = first] = pieces.join('').split('\n')
  const count = (second === '' ? first : second).trimEnd().split(' ').length - 1
  return count > 0 ? count : undefined
}

/** Words with vectors, in memory. */
export interface WordTable {
  readonly wordCount: number
  /** Place of a word, most frequent first. */
  placeOf(word: string): number | undefined
  /** Adds the vector of a place to a sum. */
  addTo(sum: Float32Array, place: number, weight: number): void
}

/**
 * Reads a text file of word vectors as GloVe (`word 0.1 -0.2 …`), word2vec and fastText (the same
 * after a line with the numbers of words and dimensions) have them.
 *
 * @throws EmbedderUnavailable if it is not such a file, or has other dimensions
 */
export async function readWordTable(config: TableConfig): Promise<WordTable> {
  const { path, dimensions, wordsMax } = config
  const places = new Map<string, number>()
  const blocks: Float32Array[] = []
  let lineCount = 0
  const add = (line: string): void => {
    lineCount++
    const text = line.trimEnd()
    if (text === '' || (lineCount === 1 && /^\d+ \d+$/.test(text))) return
    const parts = text.split(' ')
    const [word = ''] = parts
    // A few words of known tables contain spaces.
    if (parts.length > dimensions + 1 && lineCount > 2) return
    const numbers = parts.slice(1).map(Number)
    if (numbers.length !== dimensions || !numbers.every((value) => Number.isFinite(value))) {
      throw new EmbedderUnavailable(
        `"${path}", line ${lineCount}: expected a word and ${dimensions} numbers, received ${numbers.length}`,
      )
    }
    if (places.has(word)) return
    const place = places.size
    const at = place % BLOCK_WORDS
    if (at === 0) blocks.push(new Float32Array(BLOCK_WORDS * dimensions))
    blocks.at(-1)!.set(numbers, at * dimensions)
    places.set(word, place)
  }
  let rest = ''
  const file = createReadStream(path, { encoding: 'utf8', highWaterMark: PIECE_BYTES })
  try {
    reading: for await (const piece of file) {
      const lines = (rest + String(piece)).split('\n')
      rest = lines.pop()!
      if (rest.length > LINE_MAX_CHARS) throw new EmbedderUnavailable(`"${path}" has no lines`)
      for (const line of lines) {
        if (places.size >= wordsMax) break reading
        add(line)
      }
      await nextTurn()
    }
    if (places.size < wordsMax) add(rest)
  } catch (error) {
    if (error instanceof EmbedderUnavailable) throw error
    throw new EmbedderUnavailable(`Cannot read "${path}"`, { cause: error })
  }
  if (places.size === 0) throw new EmbedderUnavailable(`"${path}" has no words`)
  return {
    wordCount: places.size,
    placeOf: (word) => places.get(word),
    // An inner loop: plain arithmetic over typed arrays.
    addTo(sum, place, weight) {
      const block = blocks[Math.floor(place / BLOCK_WORDS)]!
      const from = (place % BLOCK_WORDS) * dimensions
      for (let i = 0; i < dimensions; i++) sum[i]! += weight * block[from + i]!
    },
  }
}
