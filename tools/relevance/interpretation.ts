import { join } from 'node:path'
import { REPOSITORY } from '@aisle/testing'
import { DEMO_FIELDS, demoCatalog } from '../../packages/server/src/demo/demo-catalog.ts'
import { rows } from './judged-set.ts'

/** A query with the readings that are right. */
export interface InterpretedPhrase {
  readonly store: string
  readonly query: string
  readonly readings: readonly string[]
  /** Right, but not missed. */
  readonly optional: readonly string[]
}

export interface PhraseReport {
  readonly phrases: number
  readonly read: number
  readonly right: number
  readonly expected: number
  readonly precision: number
  readonly recall: number
  readonly false: readonly string[]
  readonly missed: readonly string[]
}

/** A filter as a response has it. */
interface ReadFilter {
  readonly kind: string
  readonly field: string
  readonly operator: string
  readonly values: readonly unknown[]
  readonly text: string
}

export interface PhraseCatalog {
  readonly store: string
  readonly language: string
  readonly fields: readonly object[]
  readonly documents: readonly { readonly id: string }[]
}

/** Phrases written for this purpose. A `?` marks readings that are as right as none. */
export function readPhrases(): InterpretedPhrase[] {
  return rows(join(REPOSITORY, 'bench/relevance/interpretation.tsv'))
    .slice(1)
    .map(([store = '', query = '', text = '']) => {
      const all = text.split('; ').filter(Boolean)
      return {
        store,
        query,
        readings: all.filter((one) => !one.startsWith('?')),
        optional: all.filter((one) => one.startsWith('?')).map((one) => one.slice(1)),
      }
    })
}

/** The demo catalog, and small ones in other languages. */
export function phraseCatalogs(): PhraseCatalog[] {
  const demo = demoCatalog().documents.map(({ id, data }) => ({ ...data, id }))
  return [
    { store: 'demo', language: 'en', fields: DEMO_FIELDS, documents: demo },
    ...Object.entries(WORDS).map(([language, words]) => catalogIn(language, words)),
  ]
}

/** Searches all phrases, and compares what was read with what is right. */
export async function phraseReport(
  phrases: readonly InterpretedPhrase[],
  read: (phrase: InterpretedPhrase) => Promise<readonly ReadFilter[]>,
): Promise<PhraseReport> {
  const [wrong, missed]: string[][] = [[], []]
  let [count, right, expected] = [0, 0, 0]
  for (const phrase of phrases) {
    const found = (await read(phrase)).map(nameOf)
    const known = new Set([...phrase.readings, ...phrase.optional])
    count += found.length
    right += found.filter((name) => known.has(name)).length
    expected += phrase.readings.length
    const label = `${phrase.store}: ${phrase.query}`
    wrong!.push(...found.filter((name) => !known.has(name)).map((name) => `${label}: ${name}`))
    const lacking = phrase.readings.filter((name) => !found.includes(name))
    missed!.push(...lacking.map((name) => `${label}: ${name}`))
  }
  return {
    phrases: phrases.length,
    read: count,
    right,
    expected,
    precision: count === 0 ? 1 : right / count,
    recall: (expected - missed!.length) / expected,
    false: wrong!,
    missed: missed!,
  }
}

function nameOf({ kind, field, operator, values, text }: ReadFilter): string {
  if (kind === 'cheap') return 'cheap'
  if (kind === 'value') return `${field} ${text}`
  return `price ${operator === 'between' ? values.join('..') : `${operator}${String(values[0])}`}`
}

interface CatalogWords {
  readonly categories: readonly string[]
  readonly nouns: readonly string[]
  readonly colors: readonly string[]
}

const row = (texts: string): readonly string[] => texts.split(', ')

const WORDS: Readonly<Record<string, CatalogWords>> = {
  de: {
    categories: row('Jacken, Schuhe, Rucksäcke, Zelte'),
    nouns: row('Jacke, Schuh, Rucksack, Zelt'),
    colors: row('Rot, Schwarz, Blau, Grün'),
  },
  fr: {
    categories: row('Vestes, Chaussures, Sacs, Tentes'),
    nouns: row('Veste, Chaussure, Sac, Tente'),
    colors: row('Rouge, Noir, Bleu, Vert'),
  },
  es: {
    categories: row('Chaquetas, Zapatos, Mochilas, Tiendas'),
    nouns: row('Chaqueta, Zapato, Mochila, Tienda'),
    colors: row('Rojo, Negro, Azul, Verde'),
  },
  it: {
    categories: row('Giacche, Scarpe, Zaini, Tende'),
    nouns: row('Giacca, Scarpa, Zaino, Tenda'),
    colors: row('Rosso, Nero, Blu, Verde'),
  },
  nl: {
    categories: row('Jassen, Schoenen, Rugzakken, Tenten'),
    nouns: row('Jas, Schoen, Rugzak, Tent'),
    colors: row('Rood, Zwart, Blauw, Groen'),
  },
  pt: {
    categories: row('Jaquetas, Sapatos, Mochilas, Tendas'),
    nouns: row('Jaqueta, Sapato, Mochila, Tenda'),
    colors: row('Vermelho, Preto, Azul, Verde'),
  },
}

const BRANDS = ['Nordvik', 'Altamira', 'Quimby']
const LINES = ['Fjell', 'Tarn', 'Skog']

/** Every category in every colour and of every brand, at prices from 12 to 150. */
function catalogIn(language: string, { categories, nouns, colors }: CatalogWords): PhraseCatalog {
  const documents = categories.flatMap((category, i) =>
    colors.flatMap((color, j) =>
      BRANDS.map((brand, k) => ({
        id: `${i}-${j}-${k}`,
        title: `${nouns[i]} ${LINES[k]}`,
        brand,
        categories: [category],
        color,
        sizes: ['40', '42', '44'],
        price: 12 + ((i * 31 + j * 17 + k * 47) % 139),
      })),
    ),
  )
  const shown = new Set(['title', 'brand', 'categories', 'color', 'sizes', 'price'])
  const fields = DEMO_FIELDS.filter(({ name }) => shown.has(name))
  return { store: language, language, fields, documents }
}
