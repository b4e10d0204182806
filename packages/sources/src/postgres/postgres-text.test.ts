import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { readArray, type ArrayText } from './array-text.ts'
import { copiedValues } from './copied-values.ts'
import { toJsonOf, type PostgresType } from './json-values.ts'
import { lsnText, readLsn } from './lsn.ts'
import { decodePgoutput } from './pgoutput.ts'

suite('texts of PostgreSQL', () => {
  test('values of COPY are read as they were written', () => {
    const value = fc.option(fc.string({ unit: 'grapheme-composite' }))
    fc.assert(
      fc.property(fc.array(value, { minLength: 1 }), (values) => {
        assert.deepEqual(copiedValues(values.map(copyText).join('\t')), values)
      }),
    )
    assert.deepEqual(copiedValues('\\N\t\\\\N\ta\\tb\\\\\t'), [null, '\\N', 'a\tb\\', ''])
  })

  test('arrays of any depth are read as they were written', () => {
    const { array } = fc.letrec<{ array: ArrayText }>((tie) => ({
      array: fc.oneof(
        { depthSize: 'small' },
        fc.array(fc.option(fc.string({ unit: 'grapheme-composite' })), { minLength: 1 }),
        fc.array(tie('array'), { minLength: 1, maxLength: 3 }),
      ),
    }))
    fc.assert(
      fc.property(array, (written) => {
        assert.deepEqual(readArray(arrayText(written)), written)
      }),
    )
    assert.deepEqual(readArray('{}'), [])
    assert.deepEqual(readArray('[0:1]={a,NULL}'), ['a', null])
    assert.deepEqual(readArray('{(1,2);(3,4)}', ';'), ['(1,2)', '(3,4)'])
    for (const broken of ['', 'a', '{', '}', '{a', '{"a}', '{a}}', '{a}{b}']) {
      assert.equal(readArray(broken), undefined, broken)
    }
  })

  test('places in the log are read as they are written', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (lsn) => {
        assert.equal(readLsn(lsnText(lsn)), lsn)
      }),
    )
    assert.equal(readLsn('16/B374D848'), 0x16b374d848n)
  })

  test('a message that is cut is refused, and an unknown one left out', () => {
    assert.equal(decodePgoutput(Buffer.from('Z123')), undefined)
    const insert = Buffer.from('I\0\0\0\x01N\0\x01t\0\0\0\x02ab', 'latin1')
    assert.deepEqual(decodePgoutput(insert), { kind: 'insert', relationId: 1, row: ['ab'] })
    assert.throws(() => decodePgoutput(insert.subarray(0, 8)), RangeError)
  })

  test('values of a domain are written as those of its type, and unknown types as text', () => {
    const type = (name: string, more: Partial<PostgresType> = {}): PostgresType => ({
      name,
      category: 'U',
      elementId: 0,
      baseId: 0,
      delimiter: ',',
      ...more,
    })
    const types = new Map([
      [1, type('numeric')],
      [2, type('price', { baseId: 1 })],
      [3, type('timestamptz')],
      [4, type('vector')],
      [5, type('date')],
    ])
    const json = (id: number, text: string): string => toJsonOf(id, types)(text)
    assert.equal(json(2, '1.50'), '1.50')
    assert.equal(json(2, '-Infinity'), 'null')
    assert.equal(json(3, 'infinity'), 'null')
    assert.equal(json(3, '0044-03-15 00:00:00+00 BC'), '"0044-03-15 00:00:00+00 BC"')
    assert.equal(json(4, '[1,2.5]'), '[1,2.5]')
    assert.equal(json(5, '-infinity'), 'null')
    assert.equal(json(9, 'a"b'), '"a\\"b"')
  })
})

/** What `COPY` writes for a value, in the plainest code. */
function copyText(value: string | null): string {
  if (value === null) return '\\N'
  return value
    .replaceAll('\\', '\\\\')
    .replaceAll('\t', '\\t')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\b', '\\b')
    .replaceAll('\f', '\\f')
    .replaceAll('\v', '\\v')
}

/** What `array_out` writes, with all texts in quotes. */
function arrayText(array: ArrayText): string {
  const texts = array.map((value) => {
    if (value === null) return 'NULL'
    if (typeof value !== 'string') return arrayText(value)
    return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
  })
  return `{${texts.join(',')}}`
}
