import { bytesOf, isUtf8, joined } from './bytes.ts'
import { ImportError } from './import-error.ts'

/** The encoding of a text. */
export interface TextEncoding {
  /** Its name in the WHATWG standard. */
  readonly label: string
  /** Text around the first special character, if the encoding was guessed. */
  readonly example?: string
}

/**
 * Maximum share of runs of special characters that may look odd in Windows-1252 text.
 */
const ODD_SHARE_MAX = 0.05
/**
 * Minimum share of NUL bytes in UTF-16: half the bytes of Latin text are NUL, and so are those of
 * line ends, digits and commas in any text.
 */
const NUL_SHARE_MIN = 0.01
const EXAMPLE_CHARS = 20
const BLOCK_BYTES = 65_536

/** @throws ImportError if the encoding is unknown */
export function namedEncoding(name: string): TextEncoding {
  try {
    return { label: new TextDecoder(name).encoding }
  } catch {
    throw new ImportError(
      'unreadable',
      `"${name}" is not an encoding: expected utf-8, utf-16le, utf-16be, windows-1252 (Latin-1), or another of the WHATWG standard`,
    )
  }
}

/**
 * Detects the encoding of a text: UTF-8, UTF-16 with or without a byte order mark, or Windows-1252,
 * which includes Latin-1. Refuses anything else: a wrong guess would spoil every name.
 *
 * @param text as much of it as is available
 * @throws ImportError if it is none of them, or not text
 */
export async function guessEncoding(
  text: AsyncIterable<Uint8Array>,
  name: string,
): Promise<TextEncoding> {
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  const legacy = new LegacyEvidence()
  let isFirst = true
  let valid = true
  for await (const chunk of inBlocks(text)) {
    if (isFirst) {
      const wide = wideEncoding(chunk, name)
      if (wide !== undefined) return wide
    }
    isFirst = false
    valid &&= decodes(utf8, chunk)
    legacy.add(chunk)
  }
  // The examined text may end inside a character, which is not an error.
  if (valid) return { label: 'utf-8' }
  if (legacy.isLikely()) return { label: 'windows-1252', example: legacy.example }
  const found = legacy.isMixed()
    ? 'is only partly UTF-8'
    : 'is not UTF-8 and does not look like Windows-1252 (Latin-1)'
  throw new ImportError(
    'unreadable',
    `"${name}" ${found}, e.g. "${legacy.example}": save it as UTF-8, or name its encoding (windows-1250, windows-1251, shift_jis …)`,
    { choice: 'encoding' },
  )
}

/** Converts the text to UTF-8. @throws ImportError where it does not match the encoding */
export async function* asUtf8(
  text: AsyncIterable<Uint8Array>,
  { label }: TextEncoding,
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(label, { fatal: true })
  let offset = 0
  try {
    for await (const chunk of text) {
      // Valid UTF-8 is not copied; a byte order mark is removed.
      const decoded = decoder.decode(chunk, { stream: true })
      if (decoded.includes('\0')) {
        throw new ImportError(
          'unreadable',
          `The file has NUL bytes when it is read as ${label}: is it a text file?`,
        )
      }
      yield bytesOf(decoded)
      offset += chunk.length
    }
    yield bytesOf(decoder.decode())
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new ImportError(
      'unreadable',
      `The text is not valid ${label} after byte ${offset}: save it as UTF-8, or name its encoding`,
      { choice: 'encoding', cause: error },
    )
  }
}

/** Collects enough text that words are rarely cut, however small the chunks are. */
async function* inBlocks(text: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of text) {
    parts.push(part)
    bytes += part.length
    if (bytes < BLOCK_BYTES) continue
    yield joined(parts)
    parts = []
    bytes = 0
  }
  if (bytes > 0) yield joined(parts)
}

function decodes(decoder: TextDecoder, chunk: Uint8Array): boolean {
  try {
    decoder.decode(chunk, { stream: true })
    return true
  } catch {
    return false
  }
}

/** UTF-16, by its byte order mark or the places of its NULs. Other text has no NUL. */
function wideEncoding(head: Uint8Array, name: string): TextEncoding | undefined {
  const nuls = [0, 0]
  for (const [i, byte] of head.entries()) if (byte === 0) nuls[i % 2]!++
  const [even, odd] = nuls as [number, number]
  const few = Math.max(even, odd) / 20
  const units = head.length / 2
  const mark = head[0] === 0xff && head[1] === 0xfe ? 'le' : undefined
  const isBig = head[0] === 0xfe && head[1] === 0xff
  if (mark === 'le' && even <= few) return { label: 'utf-16le' }
  if (isBig && odd <= few) return { label: 'utf-16be' }
  if (even + odd === 0) return undefined
  if (even <= few && odd >= units * NUL_SHARE_MIN) return { label: 'utf-16le' }
  if (odd <= few && even >= units * NUL_SHARE_MIN) return { label: 'utf-16be' }
  throw new ImportError(
    'unreadable',
    `"${name}" is not a text file: it has NUL bytes. Save a workbook as CSV (UTF-8), and unpack a compressed file`,
  )
}

/**
 * Whether bytes that are not UTF-8 look like Western European text: single letters with accents
 * among plain ones. Other alphabets look like whole words of accented letters, or like symbols
 * inside words.
 */
class LegacyEvidence {
  example = ''
  #runs = 0
  #odd = 0
  #utf8 = 0

  add(chunk: Uint8Array): void {
    const text = new TextDecoder('windows-1252').decode(chunk)
    for (const match of text.matchAll(/[^\0-\x7f]+/g)) {
      this.#runs++
      const [run] = match
      const end = match.index + run.length
      if (isUtf8(chunk.subarray(match.index, end))) {
        this.#utf8++
        continue
      }
      if (isOdd(run, text[match.index - 1] ?? '', text[end] ?? '')) this.#odd++
      if (this.example !== '') continue
      const from = Math.max(0, match.index - EXAMPLE_CHARS)
      this.example = lineOf(text.slice(from, end + EXAMPLE_CHARS), match.index - from)
    }
  }

  isLikely(): boolean {
    return this.#odd + this.#utf8 <= this.#runs * ODD_SHARE_MAX
  }

  isMixed(): boolean {
    return this.#utf8 > this.#odd
  }
}

/** Sequences that are rare in Western European texts. */
function isOdd(run: string, before: string, after: string): boolean {
  // These five bytes are unassigned; the decoder turns them into control characters.
  if (/[\x80-\x9f]/.test(run)) return true
  if (/\p{L}{3}/u.test(run)) return true
  const isInside = /[a-z]/i.test(before) && /[a-z]/i.test(after)
  if (isInside && /[^\p{L}\u2018\u2019\u00b4\u00b7\u00ad\u00a0\u2013\u2014]/u.test(run)) return true
  return /[a-z]/.test(before) && /^\p{Lu}/u.test(run)
}

/** The line of a text that contains a position. */
function lineOf(text: string, at: number): string {
  const from = Math.max(text.lastIndexOf('\n', at), text.lastIndexOf('\r', at)) + 1
  const [line = ''] = text.slice(from).split(/[\r\n]/)
  return line.trim()
}
