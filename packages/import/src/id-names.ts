import { fieldNameOf } from './field-name.ts'

/** Default id field of JSON rows. */
export const ID_DEFAULT = 'id'

/** Last words of column names that suggest an id, the best first. */
const ID_WORDS: readonly ReadonlySet<string>[] = [
  new Set(['id', 'uid', 'uuid', 'guid']),
  new Set(['sku', 'asin', 'key']),
  new Set(['ean', 'gtin', 'upc', 'isbn', 'mpn', 'barcode', 'artikelnummer', 'artikelnr']),
  new Set(['code', 'number', 'no', 'nr', 'num', 'ref', 'reference', 'article']),
  new Set(['handle', 'slug', 'permalink']),
  new Set(['url', 'link', 'href']),
]
/** Words for things other than the document itself. */
const OTHERS =
  /^(parent|group|category|brand|seller|vendor|shop|store|user|customer|image|phone|telefon|fax|zip|postal|post|vat)_/

/** Ranks how much the name of a column suggests an id, 0 the most; -1: not at all. */
export function rankOf(column: string): number {
  const name = fieldNameOf(column)
  return OTHERS.test(name)
    ? -1
    : ID_WORDS.findIndex((words) => words.has(name.slice(name.lastIndexOf('_') + 1)))
}
