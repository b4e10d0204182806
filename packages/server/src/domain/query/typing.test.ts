import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createAnalyzer, IndexWriter, Searcher, type Schema, type Token } from '@aisle/engine'
import { NaiveIndex } from '@aisle/engine/naive'
import { planSearch } from '../plan/plan-search.ts'
import { SHOPS } from './product-names-for-test.ts'

const schema: Schema = {
  fields: [{ name: 'title', type: 'string', searchable: true, facet: false, sort: false }],
}

test('a Thai word of three letters may lack one', () => {
  const analyzer = createAnalyzer('th')
  const index = new NaiveIndex(schema, analyzer)
  index.add({ docKey: 1, id: 'one', values: ['ความเหลื่อมล้ำ'] })
  const { plan } = planSearch({ q: 'ควม' }, { schema, analyzer, nowMs: 0 })
  assert.equal(index.search(plan).found, 1)
})

test('a finished Thai word finds no words that share its first two letters', () => {
  const analyzer = createAnalyzer('th')
  const index = new NaiveIndex(schema, analyzer)
  const titles = ['หมวก', 'หมอน', 'หมวกแดง', 'แดง']
  titles.forEach((title, docKey) => {
    index.add({ docKey, id: title, values: [title] })
  })
  const found = (q: string) => {
    const { plan } = planSearch({ q, require_all_terms: true }, { schema, analyzer, nowMs: 0 })
    return index.search(plan).hits.map(({ docKey }) => titles[docKey])
  }
  assert.deepEqual(found('หมวก'), ['หมวก', 'หมวกแดง'])
  assert.deepEqual(found('หมวกแดง'), ['หมวกแดง'])
})

/** From which keystroke on a product is listed. */
const KEYSTROKES_MIN = 3
/** A product is listed if it is among the first of this number. */
const PAGE = 10
/**
 * Found, but not among the first. หมวก is in 21 products, and the bigram of its last letter and the
 * first one of any next word begins with ก.
 */
const BURIED: ReadonlySet<string> = new Set(['หมวกก'])
/** Missing for one keystroke: the dictionary keeps กา with its next letter, and cuts ส, แตน. */
const MISSED: ReadonlySet<string> = new Set(['กาต'])
const MISSED_WITH_ALL_WORDS: ReadonlySet<string> = new Set(['กาต', 'ขวดน้ำสแต'])

const INITIALS = Array.from({ length: 19 }, (_, i) => String.fromCharCode(0x1100 + i))
/** The final of a syllable that is the same consonant as an initial; 0: none. */
const FINALS = [1, 2, 4, 7, 0, 8, 16, 17, 0, 19, 20, 21, 22, 0, 23, 24, 25, 26, 27]

suite('a product stays listed while its name is typed', () => {
  for (const [language, { typed, others }] of Object.entries(SHOPS)) {
    const analyzer = createAnalyzer(language)
    const titles = [...typed, ...others]
    const writer = new IndexWriter(schema, language)
    const added = titles.map((title, docKey) => ({ docKey, id: `${docKey}`, values: [title] }))
    writer.apply({ added, removed: [] })
    const searcher = new Searcher()
    searcher.update(writer.snapshot())
    const keys = titles.map(keysOf)
    const wordsOf = (text: string) => analyzer.analyze(text).filter(({ bigram }) => bigram !== true)
    const titleWords = titles.map(wordsOf)

    /** Ordinals of the products, in order. */
    const search = (q: string, request: { require_all_terms?: true } = {}): number[] => {
      const asked = { q, per_page: 250, ...request }
      const { plan } = planSearch(asked, { schema, analyzer, nowMs: 0 })
      return searcher
        .search({ ...plan, deadlineMs: Infinity }, Number)
        .hits.map(({ docKey }) => docKey)
    }
    /** How many products have what is typed: they may be more than the page has room for. */
    const alike = (q: string): number => {
      const words = wordsOf(q)
      return titles.filter((_, i) => {
        const isIn = (word: Token, isLast: boolean) =>
          titleWords[i]!.some(
            ({ form }) =>
              analyzer.stem(form) === analyzer.stem(word.form) ||
              (isLast && form.startsWith(word.form)),
          )
        return (
          keys[i]!.includes(keysOf(q)) ||
          words.every((word, at) => isIn(word, at === words.length - 1))
        )
      }).length
    }
    const missing = (isMissing: (q: string, product: number) => boolean): string[] => {
      const found = typed.flatMap((name, product) =>
        statesOf(name)
          .filter((q) => isMissing(q, product))
          .map((q) => `${q} (${name})`),
      )
      return [...new Set(found)]
    }

    test(language, () => {
      assert.equal(typed.length, 40)
      const lost = missing((q, product) => {
        if (MISSED.has(q)) return false
        const at = search(q).indexOf(product)
        return at < 0 || (at >= PAGE && alike(q) <= PAGE && !BURIED.has(q))
      })
      assert.deepEqual(lost, [])
    })

    test(`${language}, with all words`, () => {
      const isFound = (q: string, product: number) =>
        MISSED_WITH_ALL_WORDS.has(q) || search(q, { require_all_terms: true }).includes(product)
      const lost = missing((q, product) => !isFound(q, product))
      assert.deepEqual(lost, [])
    })
  }
})

/** What a box shows after each keystroke, from the third one on. */
function statesOf(name: string): string[] {
  const states = keystrokes(name)
  const kana = inHiragana(name)
  if (kana !== name) states.push(...composed(name))
  return states
}

/** In Korean, syllables form from the letters typed. */
function keystrokes(name: string): string[] {
  const states: string[] = []
  let typed = ''
  const letters = [...name]
  letters.forEach((letter, i) => {
    const parts = [...letter.normalize('NFD')]
    const isKorean = /^[가-힣]$/.test(letter)
    for (let end = 1; isKorean && end < parts.length; end++) {
      states.push(typed + parts.slice(0, end).join('').normalize('NFC'))
    }
    typed += letter
    states.push(typed)
    // The consonant of the next syllable first ends this one.
    const next = [...(letters[i + 1] ?? '').normalize('NFD')][0]
    const final = next === undefined ? -1 : INITIALS.indexOf(next)
    if (isKorean && parts.length === 2 && final >= 0 && FINALS[final]! > 0) {
      states.push(typed.slice(0, -1) + String.fromCharCode(letter.charCodeAt(0) + FINALS[final]!))
    }
  })
  return states.slice(KEYSTROKES_MIN - 1)
}

/** Katakana are typed in hiragana and converted at the end of their run. */
function composed(name: string): string[] {
  const states: string[] = []
  for (const { 0: run, index } of name.matchAll(/[ァ-ヺー]+/g)) {
    const before = name.slice(0, index)
    for (let end = 1; end <= run.length; end++) {
      if (index + end >= KEYSTROKES_MIN) states.push(before + inHiragana(run.slice(0, end)))
    }
  }
  return states
}

function inHiragana(text: string): string {
  return text.replaceAll(/[ァ-ヶ]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0x60))
}

/** A text as its keys on the keyboard: consonants that end a syllable are those that begin one. */
function keysOf(text: string): string {
  return inHiragana(text)
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[\u11a8-\u11c2]/g, (final) => {
      const initial = FINALS.indexOf(final.charCodeAt(0) - 0x11a7)
      return initial < 0 ? final : INITIALS[initial]!
    })
}
