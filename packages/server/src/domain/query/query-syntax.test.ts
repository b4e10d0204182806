import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { planConditions } from '../plan/plan-conditions.ts'
import { plainAnalyzer } from '../plan/plan-fixture.ts'
import { parseQuerySyntax } from './query-syntax.ts'

/** Phrases, exclusions (quoted ones in quotes) and the words that are left. */
function parse(q: string): [phrases: string[], exclusions: string[], words: string] {
  const { phrases, exclusions, text } = parseQuerySyntax(q)
  assert.equal(text.length, q.length)
  return [
    phrases.map(({ start, end }) => q.slice(start, end)),
    exclusions.map(({ start, end, quoted }) =>
      quoted ? `"${q.slice(start, end)}"` : q.slice(start, end),
    ),
    text.trim().replace(/\s+/g, ' '),
  ]
}

suite('quotes and hyphens of a query', () => {
  const cases: readonly (readonly [string, string[], string[], string])[] = [
    ['red shoe', [], [], 'red shoe'],
    ['"red shoe" blue', ['red shoe'], [], 'red shoe blue'],
    ['“red shoe” „blau“ «bleu»', ['red shoe', 'blau', 'bleu'], [], 'red shoe blau bleu'],
    ['shoe -red -"dark blue"', [], ['red', '"dark blue"'], 'shoe'],
    ['-red', [], ['red'], ''],
    ['shoe -t-shirt', [], ['t-shirt'], 'shoe'],
    ['shoe (-red "blue")', ['blue'], ['red'], 'shoe ( blue )'],
    // Incomplete syntax is text.
    ['"red shoe', [], [], '"red shoe'],
    ['red shoe"', [], [], 'red shoe"'],
    ['-', [], [], '-'],
    ['"', [], [], '"'],
    ['red - shoe', [], [], 'red - shoe'],
    ['red -', [], [], 'red -'],
    ['t-shirt', [], [], 't-shirt'],
    ['shoe --red', [], [], 'shoe --red'],
    ['shoe -"red', [], [], 'shoe -"red'],
    ['foo"bar" baz', [], [], 'foo"bar" baz'],
    ['"red "blue"', ['blue'], [], '"red blue'],
    ['"red -"blue"', [], ['"blue"'], '"red'],
    // Inches, and numbers with a sign.
    ['24" tv', [], [], '24" tv'],
    ['1/2" x 3/4" pipe', [], [], '1/2" x 3/4" pipe'],
    ['½" pipe “oak”', ['oak'], [], '½" pipe oak'],
    ['"wall mount" 24" tv', ['wall mount'], [], 'wall mount 24" tv'],
    ['"24" tv" stand', ['24" tv'], [], '24" tv stand'],
    ['"iphone 12"', ['iphone 12'], [], 'iphone 12'],
    ['"iphone 12" "red case"', ['iphone 12', 'red case'], [], 'iphone 12 red case'],
    ['3/8 -10 nut', [], [], '3/8 -10 nut'],
    ['lamp -10', [], [], 'lamp -10'],
    ['lamp -1/2" -2.5', [], [], 'lamp -1/2" -2.5'],
    // Numbers with letters are words.
    ['drill -18v', [], ['18v'], 'drill'],
    ['phone -5g -4k', [], ['5g', '4k'], 'phone'],
    ['cable -2.5mm -1/2in', [], ['2.5mm', '1/2in'], 'cable'],
    ['saw -10-piece', [], [], 'saw -10-piece'],
    ['m8-18v x-4k', [], [], 'm8-18v x-4k'],
    ['tv -"4k"', [], ['"4k"'], 'tv'],
    ['"red shoe "', ['red shoe '], [], 'red shoe'],
    ['""', [''], [], ''],
  ]
  for (const [q, phrases, exclusions, words] of cases) {
    test(q, () => assert.deepEqual(parse(q), [phrases, exclusions, words]))
  }

  test('no query takes long', () => {
    for (const part of ['"', '" ', '"a', '-"', '"1', '1"', '-a ', ' "x', '-1', '-1.'])
      parse(part.repeat(500))
  })
})

suite('conditions of a query', () => {
  const conditionsOf = (q: string, warnings: string[] = []) =>
    planConditions(q, parseQuerySyntax(q), plainAnalyzer, warnings)
  const spellings = (q: string) =>
    conditionsOf(q).phrases.map((phrase) =>
      phrase.spellings.map((words) => words.map(({ form }) => form).join(' ')),
    )

  test('a phrase is searched as written and with its joined spellings', () => {
    assert.deepEqual(spellings('"Red shoes"'), [['red shoes']])
    assert.deepEqual(spellings('"t-shirt red"'), [['t shirt red', 'tshirt red']])
    assert.deepEqual(spellings('"a-b c-d"'), [['a b c d', 'a b cd', 'ab c d', 'ab cd']])
    const many = Array.from({ length: 20 }, () => 'a-b').join(' ')
    assert.equal(spellings(`"${many}"`)[0]!.length, 8)
  })

  test('a word after a hyphen excludes its inflections too, a quoted one does not', () => {
    const inflected = conditionsOf('-shoes -"shoes"').exclusions.map((phrase) => phrase.inflected)
    assert.deepEqual(inflected, [true, false])
    assert.equal(conditionsOf('"shoes"').phrases[0]!.inflected, false)
  })

  test('a text without words is not a condition', () => {
    assert.deepEqual(conditionsOf('"" "!" -"?" -"'), { phrases: [], exclusions: [] })
  })

  test('excess conditions are ignored, with a warning', () => {
    const warnings: string[] = []
    const { phrases, exclusions } = conditionsOf('"a" '.repeat(20) + '-b '.repeat(20), warnings)
    assert.deepEqual([phrases.length, exclusions.length, warnings.length], [20, 11, 1])
  })
})
