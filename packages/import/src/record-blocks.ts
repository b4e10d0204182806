import { ImportError } from './import-error.ts'

const BLOCK_CHARS = 65_536
/** Maximum length of a record: an unclosed quote would swallow the rest of the file. */
const RECORD_MAX_CHARS = 16_000_000

/**
 * Splits a table into blocks of whole records, at line ends outside quotes. (A doubled quote in a
 * quoted cell closes and reopens it, so counting quotes is enough.)
 *
 * @throws ImportError if a record has no end
 */
export async function* recordBlocks(
  text: AsyncIterable<Uint8Array>,
  hasQuotes: boolean,
): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let lineEnd: '\n' | '\r' | undefined
  let held = ''
  let isQuoted = false
  /** Position after the last whole record. */
  let whole = 0
  for await (const chunk of text) {
    const piece = decoder.decode(chunk, { stream: true })
    const start = held.length
    held += piece
    // Old tables of a Mac have returns alone; whether a feed follows one is seen with the next
    // character.
    if (lineEnd === undefined) {
      if (piece.includes('\n')) lineEnd = '\n'
      else if (start > BLOCK_CHARS && piece.includes('\r')) lineEnd = '\r'
    }
    for (let i = 0; i < piece.length; i++) {
      const character = piece[i]
      if (hasQuotes && character === '"') isQuoted = !isQuoted
      else if (!isQuoted && character === lineEnd) whole = start + i + 1
    }
    if (whole < BLOCK_CHARS) {
      if (held.length > RECORD_MAX_CHARS) {
        throw new ImportError(
          'unreadable',
          'Cannot read the table: a record is not closed. Is a quote missing?',
        )
      }
      continue
    }
    yield held.slice(0, whole)
    held = held.slice(whole)
    whole = 0
  }
  held += decoder.decode()
  if (held !== '') yield held
}
