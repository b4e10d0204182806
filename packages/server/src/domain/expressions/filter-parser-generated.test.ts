import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ApiError } from '@aisle/contract'
import type { FilterNode } from '@aisle/engine'
import fc from 'fast-check'
import { parseFilter } from './filter-parser.ts'
import { elapsedMs, plainAnalyzer, shopSchema } from '../plan/plan-fixture.ts'

const [BRAND, TAGS, PRICE, STOCK, SERIAL] = [1, 3, 4, 5, 6]
const INT64_MAX = 9223372036854775807n

const parse = (text: string) => parseFilter(text, shopSchema, plainAnalyzer)
const eq = (field: number, value: string | number | bigint): FilterNode => ({
  kind: 'equals',
  field,
  value,
})
const range = (field: number, rest: object): FilterNode => ({ kind: 'range', field, ...rest })
const exists = (field: number): FilterNode => ({ kind: 'exists', field })
const not = (node: FilterNode): FilterNode => ({ kind: 'not', node })

/** The text between such quotes. */
const escaped = (text: string, quote: string) =>
  text.replaceAll(/[\\`"]/g, (char) => (char === '\\' || char === quote ? `\\${char}` : char))

suite('filter expressions, generated', () => {
  const runs = Number(process.env['FUZZ_RUNS'] ?? 30_000)
  const codes = new Set(['invalid_filter', 'unknown_field', 'field_not_filterable'])

  test('every text parses or is rejected with a documented code, quickly', () => {
    const symbols = [
      'id',
      ':',
      ':=',
      ':!=',
      ':>',
      ':<=',
      '[',
      ']',
      '..',
      ',',
      '(',
      ')',
      '{',
      '}',
      ':{',
      '!',
      'not ',
      '&&',
      '||',
      ' and ',
      ' OR ',
      '"',
      '`',
      '*',
      'exists',
      'null',
      'true',
      '1',
      '-2.5',
      '1e3',
      '1e400',
      '\\',
      ' ',
      'Nike Air',
      '2024-01-01',
      '9223372036854775808',
      '\u{1F600}',
      '\uD800',
      '\u0000',
      'é',
      '--',
      '.',
    ]
    const names = shopSchema.fields.map((field) => field.name)
    const piece = fc.constantFrom(...names, ...symbols)
    const text = fc.oneof(
      { weight: 4, arbitrary: fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join('')) },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
    )
    fc.assert(
      fc.property(text, (expression) => {
        const attempt = () =>
          elapsedMs(() => {
            try {
              parse(expression)
            } catch (error) {
              if (!(error instanceof ApiError)) throw error
              assert.ok(codes.has(error.code), error.code)
            }
          })
        // A pause of the machine is not the parser's fault: only a text that is slow every time
        // counts.
        const ms = attempt() < 50 ? 0 : Math.min(attempt(), attempt(), attempt())
        assert.ok(ms < 50, `took ${ms} ms`)
      }),
      { numRuns: runs },
    )
  })

  test('a serialized tree is parsed back', () => {
    // Written forms of leaves, with their trees.
    const leaf = fc.oneof(
      fc
        .integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })
        .map((n) => ({ text: `stock:=${n}`, tree: eq(STOCK, n) })),
      fc
        .bigInt({ min: -INT64_MAX - 1n, max: INT64_MAX })
        .map((n) => ({ text: `serial:${n}`, tree: eq(SERIAL, n) })),
      fc
        .double({ noNaN: true, noDefaultInfinity: true })
        .map((n) => ({ text: `price:>=${n}`, tree: range(PRICE, { low: n + 0 }) })),
      fc
        .string({
          unit: fc.oneof(
            fc.string({ minLength: 1, maxLength: 1 }),
            fc.constantFrom('\\', '`', '"'),
          ),
          maxLength: 12,
        })
        .chain((s) => fc.constantFrom('`', '"').map((quote) => ({ s, quote })))
        .map(({ s, quote }) => ({
          text: `brand:=${quote}${escaped(s, quote)}${quote}`,
          tree: eq(BRAND, plainAnalyzer.fold(s)),
        })),
      fc.constant({ text: 'tags:null', tree: not(exists(TAGS)) }),
    )
    type Written = { text: string; tree: FilterNode }
    const { expression } = fc.letrec<{ expression: Written }>((tie) => ({
      expression: fc.oneof(
        { maxDepth: 3 },
        leaf,
        tie('expression').map(({ text, tree }) => ({ text: `!(${text})`, tree: not(tree) })),
        fc
          .tuple(
            fc.constantFrom('and', 'or'),
            fc.array(tie('expression'), { minLength: 2, maxLength: 3 }),
          )
          .map(([kind, parts]) => ({
            text: parts.map(({ text }) => `(${text})`).join(kind === 'and' ? ' && ' : ' or '),
            tree: {
              kind: kind as 'and' | 'or',
              nodes: parts.flatMap(({ tree }) => (tree.kind === kind ? tree.nodes : [tree])),
            },
          })),
      ),
    }))
    fc.assert(
      fc.property(expression, ({ text, tree }) => assert.deepEqual(parse(text), tree)),
      { numRuns: 500 },
    )
  })
})
