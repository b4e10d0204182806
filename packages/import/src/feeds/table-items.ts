import { fieldNameOf } from '../field-name.ts'
import { addValue, type FeedItem, type FeedValue } from './feed-item.ts'
import { LISTS } from './feed-product.ts'

/** `shipping(country:price)`, or `shipping (country, price)`: the members of the texts below. */
const STRUCTURED = /^([\w ]{1,60})\(([\w ,:]{1,200})\)$/
/** `image[0].url` and `product_tags[1]` of Meta. */
const NUMBERED = /^(\w{1,60})\[\d{1,3}\](?:\.url)?$/

interface Column {
  readonly name: string
  /** Names of the parts of a cell. */
  readonly parts: readonly string[] | undefined
  readonly isList: boolean
}

/** The attribute of each column of a feed that is a table. */
export function feedColumns(columns: readonly string[]): ReadonlyMap<string, Column> {
  return new Map(
    columns.map((title): [string, Column] => {
      const plain = title.trim()
      const [, structure, members] = STRUCTURED.exec(plain) ?? []
      if (structure !== undefined) {
        const parts = members!.split(/[:,]/).map(fieldNameOf)
        return [title, { name: fieldNameOf(structure), parts, isList: true }]
      }
      const [, numbered] = NUMBERED.exec(plain) ?? []
      const name = numbered === 'image' ? 'additional_image_link' : (numbered ?? plain)
      const attribute = fieldNameOf(name.replace(/^g:/i, ''))
      const isList = LISTS.has(attribute) || attribute === 'shipping'
      return [title, { name: attribute, parts: undefined, isList }]
    }),
  )
}

/** The product of a row. */
export function itemOfCells(
  cells: Readonly<Record<string, string>>,
  columns: ReadonlyMap<string, Column>,
): FeedItem {
  const item = new Map<string, FeedValue[]>()
  for (const [title, { name, parts, isList }] of columns) {
    const cell = (cells[title] ?? '').trim()
    if (cell === '' || name === '') continue
    for (const one of isList ? cell.split(',') : [cell]) {
      const text = one.trim()
      if (text !== '') addValue(item, name, parts === undefined ? text : partsOf(text, parts))
    }
  }
  return item
}

function partsOf(text: string, names: readonly string[]): FeedItem {
  const item = new Map<string, FeedValue[]>()
  const values = text.split(':')
  names.forEach((name, i) => {
    const value = (i === names.length - 1 ? values.slice(i).join(':') : (values[i] ?? '')).trim()
    if (value !== '') addValue(item, name, value)
  })
  return item
}
