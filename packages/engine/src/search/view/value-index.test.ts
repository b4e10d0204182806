import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DictionaryReader, DictionaryWriter } from '../../dictionary/shared-dictionary.ts'
import { tinyAnalyzer } from '../../naive/tiny-analyzer.ts'
import { finish } from './steps.ts'
import { ValueIndex, type WordList } from './value-index.ts'
import { WordsQuery } from './words-query.ts'

const noDeadline = { checkDeadline: () => undefined }

function readerOf(writer: DictionaryWriter): DictionaryReader {
  return new DictionaryReader(writer.handles())
}

function hasAll(forms: readonly string[], words: WordList): boolean {
  return words.every(({ form, isBegun }) =>
    forms.some((own) => (isBegun ? own.startsWith(form) : own === form)),
  )
}

function idsWithAny(index: ValueIndex, lists: readonly WordList[], count: number): number[] {
  const [all, marks] = [Uint32Array.from(Array(count).keys()), new Uint8Array(count)]
  finish(index.idsWithAny(lists, noDeadline)).markIn(all, marks)
  return [...all].filter((id) => marks[id] === 1)
}

test('finds the values with words as a scan does, also those added later', () => {
  const word = fc.constantFrom('red', 'reds', 'shoe', 't-shirt', 'café', 'x')
  const text = fc.array(word, { maxLength: 4 }).map((words) => words.join(' '))
  const wanted = fc.array(
    fc.record({
      form: fc.constantFrom('red', 'sh', 'tshirt', 'cafe', 'none', ''),
      isBegun: fc.boolean(),
    }),
    { maxLength: 3 },
  )
  fc.assert(
    fc.property(
      fc.array(fc.array(text), { minLength: 1, maxLength: 3 }),
      fc.array(wanted, { minLength: 1, maxLength: 3 }),
      (parts, lists) => {
        const writer = new DictionaryWriter()
        const index = new ValueIndex(tinyAnalyzer, readerOf(writer))
        for (const texts of parts) {
          for (const one of texts) writer.intern(one)
          assert.equal(index.follow(readerOf(writer)), true)
          finish(index.read(noDeadline))
          const expected: number[] = []
          for (let id = 0; id < writer.count; id++) {
            const forms = tinyAnalyzer.analyze(writer.text(id)).map(({ form }) => form)
            assert.deepEqual(index.formsOf(id), forms)
            if (lists.some((words) => hasAll(forms, words))) expected.push(id)
          }
          assert.deepEqual(idsWithAny(index, lists, writer.count), expected)
          const query = new WordsQuery(lists)
          const scanned = [...Array(writer.count).keys()].filter((id) =>
            query.matches(index.formsOf(id)),
          )
          assert.deepEqual(scanned, expected)
        }
      },
    ),
  )
})

test('reads in turns, and goes on after a deadline', () => {
  const writer = new DictionaryWriter()
  for (let i = 0; i < 1_000; i++) writer.intern(`brand ${i}`)
  const index = new ValueIndex(tinyAnalyzer, readerOf(writer))
  let calls = 0
  const late = () => {
    if (++calls === 2) throw new Error('late')
  }
  assert.throws(() => finish(index.read({ checkDeadline: late })), /late/)
  const turns = [...index.read({ ...noDeadline, isTurnOver: () => true })]
  assert.equal(turns.length, 3)
  assert.deepEqual(idsWithAny(index, [[{ form: '999', isBegun: false }]], 1_000), [999])
})

test('does not follow a dictionary with other values', () => {
  const [one, other] = [new DictionaryWriter(), new DictionaryWriter()]
  one.intern('red shoe')
  other.intern('red shop')
  const index = new ValueIndex(tinyAnalyzer, readerOf(one))
  assert.equal(index.follow(readerOf(other)), false)
  other.intern('more')
  assert.equal(index.follow(readerOf(other)), false)
  const before = readerOf(one)
  for (let i = 0; i < 5_000; i++) one.intern(`brand ${i}`)
  assert.equal(index.follow(readerOf(one)), true)
  assert.equal(index.follow(before), true)
})

test('finds words and beginnings among thousands, while two searches read in turns', () => {
  const writer = new DictionaryWriter()
  for (let i = 0; i < 3_000; i++) writer.intern(`k${(i * 7_919) % 3_000} part ${i % 100}`)
  const index = new ValueIndex(tinyAnalyzer, readerOf(writer))
  const turnByTurn = { ...noDeadline, isTurnOver: () => true }
  const readers = [index.read(turnByTurn), index.read(turnByTurn)]
  for (let open = readers; open.length > 0;) open = open.filter((one) => one.next().done !== true)
  const texts = Array.from({ length: writer.count }, (_, id) => writer.text(id))
  const scan = (isFound: (text: string) => boolean) =>
    texts.flatMap((text, id) => (isFound(text) ? [id] : []))
  const begun = (form: string) => [{ form, isBegun: true }]
  assert.deepEqual(
    idsWithAny(index, [begun('k29'), begun('k1234')], writer.count),
    scan((text) => text.startsWith('k29') || text.startsWith('k1234')),
  )
  const both = [{ form: 'part', isBegun: false }, ...begun('k77')]
  assert.deepEqual(
    idsWithAny(index, [both], writer.count),
    scan((text) => text.startsWith('k77')),
  )
  const many = Array.from({ length: 900 }, (_, i) => [{ form: `k${i * 3}`, isBegun: false }])
  assert.deepEqual(
    idsWithAny(index, many, writer.count),
    scan(
      (text) =>
        Number(/^k(\d+)/.exec(text)![1]) % 3 === 0 && Number(text.split(' ')[0]!.slice(1)) < 2_700,
    ),
  )
})
