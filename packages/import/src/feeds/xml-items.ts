import type { SaxesParser, SaxesTagNS } from 'saxes'
import { ImportError } from '../import-error.ts'
import { FeedBuilder } from './feed-builder.ts'
import type { FeedItem } from './feed-item.ts'

/** Maximum length of an item of a feed with its tags, and of anything between two items. */
const FEED_ITEM_MAX_CHARS = 16_000_000
/** The parser gets pieces of this length, so that the limit is checked in time. */
const PIECE_CHARS = 65_536

type Parser = SaxesParser<{ xmlns: true }>

/**
 * The items of a product feed: RSS or Atom, with attributes of Google's namespace. Holds one item
 * at a time. Entities are the five of XML and character references; a DOCTYPE, which could define
 * others, is refused.
 *
 * @param text UTF-8
 * @throws ImportError with line and column where the text is not XML or not a feed; items before
 *   that place were returned
 */
export async function* itemsOf(
  text: AsyncIterable<Uint8Array>,
  itemMaxChars = FEED_ITEM_MAX_CHARS,
): AsyncGenerator<FeedItem> {
  // Loaded on demand, because few commands read feeds.
  const { SaxesParser } = await import('saxes')
  const parser: Parser = new SaxesParser({ xmlns: true })
  const items = new Items(parser, itemMaxChars)
  const decoder = new TextDecoder()
  for await (const chunk of text) {
    for (const item of items.take(decoder.decode(chunk, { stream: true }))) yield item
  }
  yield* items.take(decoder.decode())
  yield* items.end()
}

class Items {
  readonly #parser: Parser
  readonly #itemMaxChars: number
  #ready: FeedItem[] = []
  /** Position of the end of the last item. */
  #itemEnd = 0

  constructor(parser: Parser, itemMaxChars: number) {
    this.#parser = parser
    this.#itemMaxChars = itemMaxChars
    const builder = new FeedBuilder((message) => this.#refusal(message))
    parser.on('error', ({ message }) => {
      // `7:12: unexpected close tag.`
      throw this.#refusal(message.slice(message.indexOf(': ') + 2).replace(/\.$/, ''))
    })
    parser.on('doctype', () => {
      throw this.#refusal('a DOCTYPE is not allowed, because it could define entities: remove it')
    })
    parser.on('opentag', (tag: SaxesTagNS) => builder.open(tag))
    parser.on('text', (piece) => builder.text(piece))
    parser.on('cdata', (piece) => builder.text(piece))
    parser.on('closetag', () => {
      const item = builder.close()
      if (item === undefined) return
      this.#ready.push(item)
      this.#itemEnd = parser.position
    })
  }

  /** An error in a piece is thrown after the items before it. */
  *take(text: string): Generator<FeedItem> {
    for (let from = 0; from < text.length; from += PIECE_CHARS) {
      yield* this.#parsed(() => this.#parser.write(text.slice(from, from + PIECE_CHARS)))
      if (this.#parser.position - this.#itemEnd > this.#itemMaxChars) {
        throw this.#refusal(
          `an item, or the text before it, is longer than ${this.#itemMaxChars.toLocaleString('en-US')} characters`,
        )
      }
    }
  }

  *end(): Generator<FeedItem> {
    yield* this.#parsed(() => this.#parser.close())
  }

  *#parsed(parse: () => void): Generator<FeedItem> {
    let failure: Error | undefined
    try {
      parse()
    } catch (error) {
      if (!(error instanceof Error)) throw error
      failure = error
    }
    const ready = this.#ready
    this.#ready = []
    yield* ready
    if (failure !== undefined) throw failure
  }

  #refusal(message: string): ImportError {
    const { line, column } = this.#parser
    return new ImportError(
      'unreadable',
      `Cannot read the feed: line ${line}, column ${Math.max(1, column)}: ${message}`,
    )
  }
}
