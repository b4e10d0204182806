import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DictionaryReader, DictionaryWriter } from '../../dictionary/shared-dictionary.ts'
import { tinyAnalyzer } from '../../naive/tiny-analyzer.ts'
import { ValueIndex } from './value-index.ts'

const never = () => false
const noDeadline = () => undefined

function readerOf(writer: DictionaryWriter): DictionaryReader {
  return new DictionaryReader(writer.handles())
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
      wanted,
      (parts, words) => {
        const writer = new DictionaryWriter()
        const index = new ValueIndex(tinyAnalyzer, readerOf(writer))
        for (const texts of parts) {
          for (const one of texts) writer.intern(one)
          assert.equal(index.follow(readerOf(writer)), true)
          index.read(never, noDeadline).next()
          const expected: number[] = []
          for (let id = 0; id < writer.count; id++) {
            const forms = tinyAnalyzer.analyze(writer.text(id)).map(({ form }) => form)
            assert.deepEqual(index.formsOf(id), forms)
            const has = words.every(({ form, isBegun }) =>
              forms.some((own) => (isBegun ? own.startsWith(form) : own === form)),
            )
            if (has) expected.push(id)
          }
          assert.deepEqual([...index.idsWith(words)], expected)
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
  assert.throws(() => index.read(never, late).next(), /late/)
  const turns = [...index.read(() => true, noDeadline)]
  assert.equal(turns.length, 3)
  assert.deepEqual([...index.idsWith([{ form: '999', isBegun: false }])], [999])
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
