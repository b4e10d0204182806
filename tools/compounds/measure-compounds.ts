import { createAnalyzer, type Analyzer, type QuerySlot } from '@aisle/engine'
import type { WordCatalog } from '@aisle/engine/rescoring'
import { findCompounds } from '../../packages/engine/src/rescoring/compounds.ts'
import { readSource } from '../lib/source-files.ts'

/** A word of a catalog and a longer one that ends with it. */
export interface Pair {
  readonly word: string
  readonly compound: string
}

/** The results of the compound rules on a list of titles. */
export interface Measured {
  /** Every candidate pair of a compound and its last part. */
  readonly possible: readonly Pair[]
  /** Found, and the rest is a word of the list. */
  readonly known: readonly Pair[]
  /** Found, but the rest is not a word of the list. */
  readonly alone: readonly Pair[]
  /** The same if no title had the word itself; German only. */
  readonly absent: readonly Pair[]
}

/** Quality of a compound with two known parts; others score lower. */
const KNOWN_QUALITY = 0.8
const ALONE_QUALITY = 0.65

/** Searches every word of the titles in tools/compounds/NAME.txt. */
export function measureCompounds(name: string, language: string): Measured {
  const analyzer = createAnalyzer(language)
  const { forms, catalog } = catalogOf(readSource(`tools/compounds/${name}.txt`).text, analyzer)
  const words = new Map<string, string>()
  for (const form of [...forms.keys()].sort((a, b) => forms.get(b)! - forms.get(a)!)) {
    const stem = analyzer.stem(form)
    if (!words.has(stem) && !analyzer.isStopword(form)) words.set(stem, form)
  }
  const [possible, known, alone, absent]: Pair[][] = [[], [], [], []]
  for (const [stem, word] of words) {
    for (const compound of forms.keys()) {
      if (mayEndWith(compound, stem, analyzer)) possible!.push({ word, compound })
    }
    const slot = { form: word, stem, stopword: false, joined: [] } as unknown as QuerySlot
    for (const [compound, quality] of findCompounds(slot, { catalog, analyzer })) {
      if (quality === KNOWN_QUALITY) known!.push({ word, compound })
      if (quality === ALONE_QUALITY) alone!.push({ word, compound })
    }
    // The same rules everywhere, and this doubles the time.
    if (language !== 'de') continue
    const without: Partial<WordCatalog> = {
      ...catalog,
      groupDocFreq: (other) => (other === stem ? 0 : catalog.groupDocFreq(other)),
      formsLike: () => [...forms.keys()].filter((form) => analyzer.stem(form) !== stem),
    }
    const source = { catalog: without as WordCatalog, analyzer }
    for (const [compound, quality] of findCompounds(slot, source)) {
      if (quality === ALONE_QUALITY) absent!.push({ word, compound })
    }
  }
  return { possible: possible!, known: known!, alone: alone!, absent: absent! }
}

function mayEndWith(compound: string, stem: string, analyzer: Analyzer): boolean {
  if (analyzer.stem(compound) === stem) return false
  const lengthMin = analyzer.compounds?.wordLengthMin ?? Infinity
  for (let at = 1; compound.length - at >= lengthMin; at++) {
    if (analyzer.stem(compound.slice(at)) === stem) return true
  }
  return false
}

/** A Korean word behind Latin letters is a separate word, which finds c타입 anyway. */
const ONE_SCRIPT = /^(?:[a-z]+|[^a-z\P{L}]+)$/u

/** The lines are the documents. */
function catalogOf(
  titles: string,
  analyzer: Analyzer,
): { readonly forms: ReadonlyMap<string, number>; readonly catalog: WordCatalog } {
  const forms = new Map<string, number>()
  const groups = new Map<string, number>()
  const lines = titles.trim().split('\n')
  const count = (counts: Map<string, number>, names: Iterable<string>) => {
    for (const name of new Set(names)) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  for (const line of lines) {
    const words = analyzer
      .analyze(line)
      .flatMap((token) => (ONE_SCRIPT.test(token.form) ? token.form : []))
    count(forms, words)
    count(
      groups,
      words.map((form) => analyzer.stem(form)),
    )
  }
  const catalog: Partial<WordCatalog> = {
    docCount: lines.length,
    formDocFreq: (form) => forms.get(form) ?? 0,
    groupDocFreq: (stem) => groups.get(stem) ?? 0,
    formsLike: () => [...forms.keys()],
  }
  return { forms, catalog: catalog as WordCatalog }
}
