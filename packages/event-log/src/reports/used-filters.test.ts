import assert from 'node:assert/strict'
import test, { suite } from 'node:test'
import fc from 'fast-check'
import { clausesOf } from './filter-clauses.ts'
import { filtersUsed } from './used-filters.ts'

suite('the filters that an event names', () => {
  const cases: [unknown, string[]][] = [
    ['brand:=Acme && price:<100', ['brand=Acme', 'price=<100']],
    ['brand:[Acme, "Other, Inc"]', ['brand=Acme', 'brand=Other', 'brand=Inc']],
    ['price:[10..20] or !(`my field`: x and size : 4)', ['price=[10..20]', 'my field=x', 'size=4']],
    ['brand:=Marks and Spencer', ['brand=Marks']],
    ['name:"a && b:c" || x:1', ['name=a && b:c', 'x=1']],
    ['a: && b:', []],
    ['"unclosed:1 && b:[2', ['unclosed=1']],
    [
      ['a:1', 'b:2'],
      ['a=1', 'b=2'],
    ],
    [
      { filter_by: 'a:1', filters: { b: ['x', 'y'], c: { gte: 3 } } },
      ['a=1', 'b=x', 'b=y', 'c=gte 3'],
    ],
  ]
  for (const [filters, expected] of cases) {
    test(JSON.stringify(filters), () => {
      const used = filtersUsed({ filters })
      assert.deepEqual(
        used.map(({ field, value }) => `${field}=${value}`),
        expected,
      )
    })
  }

  test('clauses are those of the pattern that defines a clause', () => {
    const names = ['a', 'bc', '_x', ':', ':', ':', ' ', ' ', '=', '>', '1', '\n']
    const marks = ['[', ']', '(', ')', ',', '..', ' and ', ' or ', ' && ', ' || ', '&']
    const piece = fc.constantFrom(...names, ...marks, '"x y"', '`q:1`', '"a:b"')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const text = pieces.join('')
        assert.deepEqual([...clausesOf(text)], clausesByPattern(text), text)
      }),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 300) },
    )
  })
})

const CLAUSE =
  /([^\s:()[\]{}!=<>,"`&|]+|`[^`]*`|"[^"]*")\s*:\s*((?:"[^"]*"|`[^`]*`|\[[^\]]*\]|(?!&&|\|\||[()"`[]|\s(?:and|or)\s).)+)|"[^"]*"|`[^`]*`/gi

/** The slow oracle: quadratic in the length of the text. Skips quoted text that is not a name. */
function clausesByPattern(text: string): { field: string; test: string }[] {
  return [...text.matchAll(CLAUSE)].flatMap(([, name = '', test = '']) =>
    test.trim() === '' ? [] : [{ field: name.replaceAll(/["`]/g, ''), test: test.trim() }],
  )
}
