import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { SectionReader, SectionWriter } from '../codec/section-file.ts'
import { TITLE_WORDS_MAX } from '../scoring/vouching.ts'
import { mergeTitleWords, TitleWords, writeTitleWords } from './title-words.ts'

const TITLE = 1

/** Groups of every varint length. */
const group = fc.oneof(fc.nat(127), fc.nat(20_000), fc.nat(3_000_000), fc.nat(2 ** 31 - 1))
const titles = fc.array(fc.array(group, { maxLength: 90, size: 'max' }), { maxLength: 30 })

function reopen(write: (sections: SectionWriter) => void): TitleWords {
  const sections = new SectionWriter()
  write(sections)
  return new TitleWords(new SectionReader(sections.finish(1, {}), 1))
}

function written(documents: readonly (readonly number[])[]): TitleWords {
  const groups = documents.flat()
  let form = 0
  const tokens = documents.flatMap((title, doc) => [
    ...title.map(() => ({ doc, textField: TITLE, form: form++ })),
    // A word of another field.
    { doc, textField: 0, form: groups.length },
  ])
  const log = {
    length: tokens.length,
    docs: Uint32Array.from(tokens, ({ doc }) => doc),
    textFields: Uint16Array.from(tokens, ({ textField }) => textField),
    forms: Uint32Array.from(tokens, ({ form }) => form),
  }
  const groupOf = Uint32Array.from([...groups, 0])
  return reopen((sections) => writeTitleWords(log, TITLE, groupOf, documents.length, sections))
}

function read(words: TitleWords, docOrd: number): number[] {
  const groups = new Uint32Array(TITLE_WORDS_MAX)
  return [...groups.subarray(0, words.read(docOrd, groups))]
}

test('the first distinct words of each title are read as written', () => {
  fc.assert(
    fc.property(titles, (documents) => {
      const words = written(documents)
      for (const [docOrd, title] of documents.entries()) {
        assert.deepEqual(read(words, docOrd), [...new Set(title)].slice(0, TITLE_WORDS_MAX))
      }
    }),
  )
})

test('merged title words are those of the remaining documents', () => {
  const source = fc.array(fc.tuple(fc.array(group, { maxLength: 70 }), fc.boolean()), {
    maxLength: 20,
  })
  fc.assert(
    fc.property(fc.array(source, { maxLength: 4 }), (sources) => {
      let next = 0
      const given = sources.map((rows) => ({
        reader: { titleWords: written(rows.map(([title]) => title)) },
        docMap: Int32Array.from(rows, ([, stays]) => (stays ? next++ : -1)),
      }))
      const merged = reopen((sections) => mergeTitleWords(given, sections))
      const expected = sources.flat().filter(([, stays]) => stays)
      expected.forEach(([title], docOrd) => {
        assert.deepEqual(read(merged, docOrd), [...new Set(title)].slice(0, TITLE_WORDS_MAX))
      })
    }),
  )
})
