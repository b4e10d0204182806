import { readNumber, type ReadNumber } from '../cells/number-text.ts'
import type { JsonEntry } from '../json-entry.ts'
import { addValue, type FeedItem, type FeedValue } from './feed-item.ts'

/** Attributes that are lists of texts, even with one value. */
export const LISTS: ReadonlySet<string> = new Set(
  (
    'additional_image_link product_highlight promotion_id included_destination ' +
    'excluded_destination shopping_ads_excluded_country lifestyle_image_link product_tags'
  ).split(' '),
)
/**
 * Attributes that are lists of objects, with the members that a text of them has in this order:
 * `DE:BY:Express:4.90 EUR`.
 */
const STRUCTURES: ReadonlyMap<string, readonly string[]> = new Map([
  ['shipping', ['country', 'region', 'service', 'price']],
  ['tax', ['country', 'region', 'rate', 'tax_ship']],
  ['product_detail', ['section_name', 'attribute_name', 'attribute_value']],
])
const FLAGS = new Set(['adult', 'is_bundle', 'identifier_exists'])
/** Attributes of fixed words, which feeds write as `in stock` and as `in_stock`. */
const WORDS = new Set(['availability', 'condition', 'gender', 'age_group'])
const MONEY = /(?:^|_)price$|^cost_of_goods_sold$|^amount$/
const CUSTOM = 'custom_'
const CUSTOM_LABEL = /^custom_label_[0-4]$/
/** `19.99 EUR`, as the formats of feeds define it. */
const AMOUNT = /^(\d{1,12}(?:\.\d{1,6})?) ([A-Z]{3})$/

type AttributeKind = 'label' | 'structure' | 'money' | 'plain'

/** Kinds by name: most products of a feed have the same attributes. */
const KINDS = new Map<string, AttributeKind>()
const KINDS_MAX = 1_000

/**
 * The entry of an item, for an import: prices are numbers with their currency beside them,
 * structured attributes are objects, and everything else is text. An attribute with several values
 * is a list.
 */
export function productOf(item: FeedItem): JsonEntry {
  const [id] = item.get('id') ?? []
  const { id: _, ...data } = membersOf(item)
  return { ...(typeof id === 'string' ? { id } : {}), data }
}

/** The item as it is in the feed. */
export function rowOf(item: FeedItem): JsonEntry {
  const plain = (value: FeedValue): unknown =>
    typeof value === 'string' ? value : Object.fromEntries(pairs(value))
  const pairs = (one: FeedItem): [string, unknown][] =>
    [...one].map(([name, values]) => [
      name,
      values.length === 1 ? plain(values[0]!) : values.map(plain),
    ])
  return Object.fromEntries(pairs(item))
}

function membersOf(item: FeedItem): Record<string, unknown> {
  const members: Record<string, unknown> = {}
  let labels: Record<string, unknown> | undefined
  for (const [name, values] of item) {
    const [first] = values
    switch (kindOf(name)) {
      case 'label':
        labels ??= {}
        labels[name.slice(CUSTOM.length)] = first
        break
      case 'structure':
        members[name] = values.map((one) => structureOf(name, one))
        break
      case 'money':
        if (typeof first === 'string') addMoney(members, name, first)
        else members[name] = plainValue(name, values)
        break
      case 'plain':
        members[name] = plainValue(name, values)
    }
  }
  if (labels !== undefined) members['custom_labels'] = labels
  return members
}

function kindOf(name: string): AttributeKind {
  let kind = KINDS.get(name)
  if (kind !== undefined) return kind
  if (CUSTOM_LABEL.test(name)) kind = 'label'
  else if (STRUCTURES.has(name)) kind = 'structure'
  else kind = MONEY.test(name) ? 'money' : 'plain'
  if (KINDS.size < KINDS_MAX) KINDS.set(name, kind)
  return kind
}

function plainValue(name: string, values: readonly FeedValue[]): unknown {
  const isList = values.length > 1 || LISTS.has(name)
  return isList ? values.map((value) => readValue(name, value)) : readValue(name, values[0]!)
}

function readValue(name: string, value: FeedValue): unknown {
  if (typeof value !== 'string') return membersOf(value)
  if (WORDS.has(name)) return value.toLowerCase().replaceAll(/[ -]/g, '_')
  return FLAGS.has(name) ? flagOf(value) : value
}

function flagOf(text: string): unknown {
  if (/^(?:yes|true)$/i.test(text)) return true
  return /^(?:no|false)$/i.test(text) ? false : text
}

function structureOf(name: string, value: FeedValue): unknown {
  if (typeof value !== 'string') return membersOf(value)
  const members = STRUCTURES.get(name)!
  const parts = value.split(':')
  const named = new Map<string, FeedValue[]>()
  members.forEach((member, i) => {
    // The last member takes what is left: a value may have a colon.
    const isLast = i === members.length - 1
    const part = (isLast ? parts.slice(i).join(':') : (parts[i] ?? '')).trim()
    if (part !== '') addValue(named, member, part)
  })
  return membersOf(named)
}

/** A price, and its currency in `currency`; in a separate member if that has another one. */
function addMoney(members: Record<string, unknown>, name: string, text: string): void {
  const amount = amountOf(text)
  if (amount === undefined) {
    members[name] = text
    return
  }
  const { json, currency = '' } = amount
  members[name] = Number(json)
  if (currency === '') return
  members['currency'] ??= currency
  if (members['currency'] !== currency) members[`${name}_currency`] = currency
}

/** As defined, or as people write amounts: `1,299.00 EUR`, `EUR 1.299,00`. */
function amountOf(text: string): Pick<ReadNumber, 'json' | 'currency'> | undefined {
  const [, json, currency] = AMOUNT.exec(text) ?? []
  if (json !== undefined) return { json, currency }
  const read = readNumber(text, 'point') ?? readNumber(text, 'comma')
  return read?.isPercent === true ? undefined : read
}
