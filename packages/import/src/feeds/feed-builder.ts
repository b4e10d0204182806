import type { SaxesTagNS } from 'saxes'
import { fieldNameOf } from '../field-name.ts'
import { addValue, type FeedItem, type FeedValue } from './feed-item.ts'

/** Maximum depth of elements; those of Google's feeds are five deep. */
const FEED_DEPTH_MAX = 32
/** Maximum of element names whose attribute name is remembered. */
const NAMES_MAX = 1_000

const ROOTS = new Set(['rss', 'rdf', 'feed'])
const ITEMS = new Set(['item', 'entry'])
/** Google's attributes, and attributes of the shop's own. */
const GOOGLE = /^https?:\/\/base\.google\.com\/c?ns\/1\.0\/?$/
/** RSS 1.0 and 2.0 and Atom; RSS 2.0 usually has no namespace. */
const PLAIN = new Set([
  '',
  'http://www.w3.org/2005/Atom',
  'http://purl.org/atom/ns#',
  'http://purl.org/rss/1.0/',
  'http://backend.userland.com/rss2',
])
/** Elements of RSS and Atom that describe the message, not the product. */
const SKIPPED = new Set(
  'pub_date guid author contributor comments source enclosure updated published rights'.split(' '),
)
const RENAMED: Readonly<Record<string, string>> = { summary: 'description', content: 'description' }

const SINGLE = new Set(['id', 'title', 'link', 'description'])

type Kind = 'google' | 'plain' | 'other'

interface Open {
  readonly kind: Kind
  readonly name: string
  text: string
  /** Attributes of Google's inside this element. */
  google: Map<string, FeedValue[]> | undefined
  /** Elements of RSS or Atom inside this one. */
  plain: Map<string, FeedValue[]> | undefined
}

/** Builds items from the tags and texts of a feed. */
export class FeedBuilder {
  readonly #refusal: (message: string) => Error
  readonly #names = new Map<string, string>()
  #uri = ''
  #kind: Kind = 'plain'
  #depth = 0
  /** The item and the elements that are open inside it. */
  #open: Open[] = []

  constructor(refusal: (message: string) => Error) {
    this.#refusal = refusal
  }

  open({ local, uri, attributes }: SaxesTagNS): void {
    this.#depth++
    if (this.#depth > FEED_DEPTH_MAX) {
      throw this.#refusal(`elements are more than ${FEED_DEPTH_MAX} deep`)
    }
    if (this.#depth === 1 && !ROOTS.has(local.toLowerCase())) {
      throw this.#refusal(
        `expected a product feed (RSS or Atom), received the element "${local.slice(0, 60)}"`,
      )
    }
    const kind = this.#kindOf(uri)
    if (this.#open.length === 0 && !(kind === 'plain' && this.#depth > 1 && ITEMS.has(local))) {
      return
    }
    const name = this.#nameOf(local)
    const text = kind === 'plain' && name === 'link' ? pageOf(attributes) : ''
    this.#open.push({ kind, name, text, google: undefined, plain: undefined })
  }

  text(piece: string): void {
    const top = this.#open.at(-1)
    if (top !== undefined) top.text += piece
  }

  /** @returns the item that ends here */
  close(): FeedItem | undefined {
    this.#depth--
    const closed = this.#open.pop()
    const above = this.#open.at(-1)
    if (closed === undefined) return undefined
    if (above === undefined) return itemOf(closed)
    const value = valueOf(closed)
    if (closed.kind === 'google') {
      if (value !== undefined && closed.name !== '')
        addValue((above.google ??= new Map()), closed.name, value)
      return undefined
    }
    if (this.#open.length > 1) {
      // Markup inside a text: `<description>so <b>bold</b></description>`.
      above.text += closed.text
      return undefined
    }
    if (closed.kind === 'other' || value === undefined || SKIPPED.has(closed.name)) return undefined
    const name = RENAMED[closed.name] ?? closed.name
    above.plain ??= new Map()
    // Atom may have a summary beside the content, and links to other languages.
    if (!(SINGLE.has(name) && above.plain.has(name))) addValue(above.plain, name, value)
    return undefined
  }

  /** Most elements have the namespace of the one before. */
  #kindOf(uri: string): Kind {
    if (uri === this.#uri) return this.#kind
    this.#uri = uri
    return (this.#kind = PLAIN.has(uri) ? 'plain' : GOOGLE.test(uri) ? 'google' : 'other')
  }

  #nameOf(local: string): string {
    const known = this.#names.get(local)
    if (known !== undefined) return known
    const name = fieldNameOf(local)
    if (this.#names.size < NAMES_MAX) this.#names.set(local, name)
    return name
  }
}

/** A link of Atom is an attribute of its element. */
function pageOf({ rel, href }: SaxesTagNS['attributes']): string {
  return rel === undefined || rel.value === 'alternate' ? (href?.value ?? '') : ''
}

function valueOf({ google, text }: Open): FeedValue | undefined {
  if (google !== undefined) return google
  const trimmed = text.trim()
  return trimmed === '' ? undefined : trimmed
}

/** Google's attributes count where RSS has an element of the same name. */
function itemOf({ google = new Map(), plain = new Map() }: Open): FeedItem {
  for (const [name, values] of plain) if (!google.has(name)) google.set(name, values)
  return google
}
