import { ImportError } from './import-error.ts'

const ARRAY_HEAD = /^\uFEFF?\s*(?:\{\s*"documents"\s*:\s*)?\[/
/** The array must begin within this many characters. */
const HEAD_MAX_CHARS = 10_000

/**
 * Yields the elements of a JSON array, or of the array `documents` of an object, as text: numbers
 * keep all digits, and only one element is in memory at a time.
 *
 * @throws ImportError if it is not an array, or is incomplete
 */
export async function* elementsOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  const scanner = new ElementScanner()
  let head = ''
  let started = false
  for await (const chunk of stream) {
    let text = decoder.decode(chunk, { stream: true })
    if (!started) {
      head += text
      const match = ARRAY_HEAD.exec(head)
      if (match === null) {
        if (head.length > HEAD_MAX_CHARS) throw noArray()
        continue
      }
      started = true
      text = head.slice(match[0].length)
    }
    yield* scanner.take(text)
  }
  if (!started) throw noArray()
  if (!scanner.ended) throw new ImportError('unreadable', 'The JSON array is not closed')
}

function noArray(): ImportError {
  return new ImportError(
    'unreadable',
    'Expected a JSON array, or an object with `documents`. Is the file NDJSON?',
    { choice: 'format' },
  )
}

/** Finds where elements end. Their syntax is checked where they are used. */
class ElementScanner {
  ended = false
  #element = ''
  #depth = 0
  #inString = false
  #escaped = false

  take(text: string): string[] {
    const elements: string[] = []
    let from = 0
    for (let i = 0; i < text.length && !this.ended; i++) {
      const character = text[i]!
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false
        else if (character === '\\') this.#escaped = true
        else if (character === '"') this.#inString = false
        continue
      }
      if (character === '"') this.#inString = true
      else if (character === '{' || character === '[') this.#depth++
      else if (this.#depth > 0 && (character === '}' || character === ']')) this.#depth--
      else if (this.#depth === 0 && (character === ',' || character === ']')) {
        const element = (this.#element + text.slice(from, i)).trim()
        this.#element = ''
        from = i + 1
        if (element !== '') elements.push(element)
        this.ended = character === ']'
      }
    }
    if (!this.ended) this.#element += text.slice(from)
    return elements
  }
}
