import type { JudgedCatalog } from './judge-prefixes.ts'
import { plantTypos } from './planted-typos.ts'

export interface CatalogTexts {
  readonly schema: unknown
  /** Documents as JSON. */
  readonly lines: readonly string[]
  /** Columns with a heading: misspelling, word, frequency and edits. */
  readonly misspellings?: string
}

/** Fields with names of things, besides the title. */
const NAME_FIELDS = ['brand', 'categories', 'main_category', 'sub_categories', 'product_type']

/** A catalog with misspellings in its titles and in the traffic of its visitors. */
export function catalogWithTypos(
  name: string,
  { schema, lines, misspellings = '' }: CatalogTexts,
  { cases, seed }: { readonly cases: number; readonly seed: number },
): JudgedCatalog {
  const documents = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  const titleField = documents.some(({ title }) => title !== undefined) ? 'title' : 'name'
  const known = knownMisspellings(misspellings)
  const planted = plantTypos(documents, { titleField, cases, seed, known })
  const titles = documents.flatMap((document) =>
    [titleField, ...NAME_FIELDS].flatMap((field) => [document[field] ?? []].flat().map(String)),
  )
  // The words of the first title, which are in the catalog.
  const last = planted.cases[0]!.meant
  return { name, schema, lines, titles, planted: { ...planted, last } }
}

function knownMisspellings(table: string): Map<string, string[]> {
  const [, ...lines] = table.split('\n')
  const known = new Map<string, string[]>()
  for (const line of lines) {
    const [misspelling = '', word = '', , edits] = line.split('\t')
    // With more edits, many are words with another meaning.
    if (edits !== '1' || misspelling.startsWith(word)) continue
    known.set(word, [...(known.get(word) ?? []), misspelling])
  }
  return known
}
