import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { createAnalyzer, type Analyzer, type Schema } from '@aisle/engine'
import type { RuleCondition } from '@aisle/contract'
import { shopSchema } from '../plan/plan-fixture.ts'
import { NO_COLLECTIONS } from '../expressions/collections.ts'
import { parseFilter } from '../expressions/filter-parser.ts'
import { AnalysedQuery } from '../query/analysed-query.ts'
import { CompiledRule, RuleSet, type KeptRule } from './rule-set.ts'
import { Strategies } from './strategies.ts'
import { endsOf, wordLattice } from './word-lattice.ts'

const analyzer = createAnalyzer('en')
const NOON = Date.parse('2026-06-01T12:00:00Z')

type Rules = Readonly<Record<string, Partial<KeptRule>>>
interface Asked {
  readonly q?: string
  readonly contexts?: readonly string[]
  readonly filterBy?: string | undefined
  readonly nowMs?: number
  readonly strategies?: Strategies
}

function ruleSet(rules: Rules): RuleSet {
  const compiled = Object.entries(rules).map(([name, rule]) => {
    const json = JSON.stringify({ enabled: true, priority: 0, ...rule })
    return new CompiledRule({ kind: 'rule', name, json }, analyzer)
  })
  return new RuleSet(compiled)
}

function ask(
  set: RuleSet,
  { q = '*', contexts = [], filterBy, nowMs = NOON, strategies = Strategies.none }: Asked,
  schema: Schema = shopSchema,
) {
  const filter = () =>
    filterBy === undefined ? undefined : parseFilter(filterBy, schema, analyzer)
  const query = new AnalysedQuery(q, analyzer)
  const { rules, warnings } = set.matching({
    query,
    contexts,
    filter,
    schema,
    dates: { nowMs, timeZone: 'UTC' },
    strategies,
    collections: NO_COLLECTIONS,
  })
  return { ids: rules.map(({ id }) => id), warnings }
}

const meets = (condition: RuleCondition, asked: Asked): boolean =>
  ask(ruleSet({ it: { when: [condition] } }), asked).ids.length === 1

suite('words of a condition', () => {
  const cases: readonly (readonly [condition: RuleCondition, met: string[], missed: string[]])[] = [
    [
      { query: 'running shoe', match: 'exact' },
      ['running shoe', 'Running SHOES!', '  running-shoe ', 'rünning shoe', 'running shoe -red'],
      ['running', 'red running shoe', 'shoe running', '*', '', 'runing shoe'],
    ],
    [
      { query: 't-shirt', match: 'contains' },
      ['t-shirt', 'tshirt', 'T shirts', 'red tshirt xl', 'red t-shirt', '"t-shirt"'],
      ['shirt', 't', 'shirt t', 'red -tshirt'],
    ],
    [
      { query: 'red', match: 'starts_with' },
      ['red', 'red shoe', '"red" shoe'],
      ['shoe red', 'redder shoe'],
    ],
    [{ query: 'shoe', match: 'ends_with' }, ['shoe', 'red shoes', 'red shoe -blue'], ['shoe red']],
    [{ query: 'bedspread', match: 'exact' }, ['bed spread', 'bedspreads'], ['bed', 'spread']],
    [{ match: 'empty' }, ['*', '', '  ', ' * ', '!!!', '" "'], ['a', '-red']],
    [{ match: 'any' }, ['*', '', 'a', '!!!'], []],
    [{ query: 'shoe' }, ['shoes'], ['red shoe']],
    [{ query: 'chair', match: 'exact' }, ['chairs'], ['chair red', 'chair-red']],
    [{}, ['', 'a'], []],
  ]
  for (const [condition, met, missed] of cases) {
    test(JSON.stringify(condition), () => {
      for (const q of met) assert.equal(meets(condition, { q }), true, q)
      for (const q of missed) assert.equal(meets(condition, { q }), false, q)
    })
  }
})

suite('other parts of a condition', () => {
  test('one of its contexts', () => {
    const condition = { contexts: ['home', 'app'] }
    assert.equal(meets(condition, { contexts: ['app', 'x'] }), true)
    assert.equal(meets(condition, { contexts: ['x'] }), false)
    assert.equal(meets(condition, {}), false)
  })

  const filters: readonly (readonly [asked: string, active: string | undefined, met: boolean])[] = [
    ['brand:=Nike', 'brand:=nike', true],
    ['brand:=Nike', 'price:<10 && brand:=Nike', true],
    ['brand:=Nike && price:<10', 'price:<10 && stock:>0 && brand:=Nike', true],
    ['brand:=[Nike, Fells]', 'brand:=[fells, nike]', true],
    ['price:[5..10]', 'price:>=5 && price:<=10', false],
    ['brand:=Nike', 'brand:=Nike || price:<10', false],
    ['brand:=Nike', '!brand:=Nike', false],
    ['brand:=Nike', 'brand:=[Nike, Fells]', false],
    ['brand:=Nike', undefined, false],
  ]
  for (const [asked, active, met] of filters) {
    test(`${asked} while ${active ?? 'nothing'} is active: ${met ? 'met' : 'not met'}`, () => {
      assert.equal(meets({ filter_by: asked }, { filterBy: active }), met)
    })
  }

  test('a filter that the schema no longer supports does not match, with a warning', () => {
    const set = ruleSet({ old: { when: [{ filter_by: 'colour:=red' }] } })
    assert.deepEqual(ask(set, {}), { ids: [], warnings: [] })
    const { ids, warnings } = ask(set, { filterBy: 'brand:=Nike' })
    assert.deepEqual(ids, [])
    assert.match(
      warnings[0]!,
      /^Rule `old` is ignored because it does not fit the schema: .*colour/,
    )
  })
})

suite('rules', () => {
  test('apply by priority, then by id; disabled rules do not apply', () => {
    const set = ruleSet({
      c: { priority: 1 },
      b: { priority: 1 },
      z: { priority: 2 },
      a: { priority: -5 },
      off: { enabled: false },
    })
    assert.deepEqual(ask(set, {}).ids, ['z', 'b', 'c', 'a'])
  })

  test('apply within their windows, the end excluded', () => {
    const set = ruleSet({
      it: {
        schedule: [
          { from: '2026-06-01T14:00:00+02:00', until: '2026-06-01T13:00:00Z' },
          { until: '2026-01-01T00:00:00Z' },
        ],
      },
    })
    const isOn = (time: string) => ask(set, { nowMs: Date.parse(time) }).ids.length === 1
    assert.equal(isOn('2026-06-01T11:59:59.999Z'), false)
    assert.equal(isOn('2026-06-01T12:00:00Z'), true)
    assert.equal(isOn('2026-06-01T13:00:00Z'), false)
    assert.equal(isOn('2025-12-31T23:59:59Z'), true)
  })
})

/**
 * Returns every way to read a text as words, one spelling of each part: the plain definition of
 * equal texts.
 */
function readings(text: string, from: number, to: number, by: Analyzer): string[] {
  const { edges } = wordLattice(text, by)
  if (from === to) return ['']
  return (edges[from] ?? [])
    .filter((edge) => edge.to <= to)
    .flatMap((edge) => readings(text, edge.to, to, by).map((rest) => ` ${edge.stem}${rest}`))
}

const arbitraryText = fc
  .array(
    fc.constantFrom(
      'red',
      'reds',
      'shoe',
      'Shoes',
      't',
      'shirt',
      't-shirt',
      'tshirts',
      'bed',
      'spread',
      'bedspread',
      'AB-12',
      'ab12',
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((words) => words.join(' '))

test('a text occurs in another if both can be read as the same words', () => {
  fc.assert(
    fc.property(arbitraryText, arbitraryText, (sought, text) => {
      const own = new Set(readings(sought, 0, wordLattice(sought, analyzer).length, analyzer))
      const { length } = wordLattice(text, analyzer)
      for (let from = 0; from <= length; from++) {
        const expected: number[] = []
        for (let to = from + 1; to <= length; to++) {
          if (readings(text, from, to, analyzer).some((one) => own.has(one))) expected.push(to)
        }
        assert.deepEqual(
          endsOf(wordLattice(sought, analyzer), wordLattice(text, analyzer), from),
          expected,
        )
      }
    }),
  )
})

const CONTEXTS = ['home', 'app', 'mail']
const FILTERS = ['brand:=Nike', 'price:<10', 'brand:=Nike && in_stock:true']
const arbitraryCondition: fc.Arbitrary<RuleCondition> = fc
  .record({
    match: fc.constantFrom(
      'exact' as const,
      'contains',
      'starts_with',
      'ends_with',
      'any',
      'empty',
    ),
    query: arbitraryText,
    contexts: fc.option(fc.subarray(CONTEXTS, { minLength: 1 }), { nil: undefined, freq: 2 }),
    filter_by: fc.option(fc.constantFrom(...FILTERS), { nil: undefined, freq: 2 }),
  })
  .map(({ match, query, contexts, filter_by }) => ({
    match,
    ...(match === 'any' || match === 'empty' ? {} : { query }),
    ...(contexts === undefined ? {} : { contexts }),
    ...(filter_by === undefined ? {} : { filter_by }),
  }))
const time = fc.constantFrom('2026-06-01T00:00:00Z', '2026-06-01T12:00:00Z', '2026-06-02T00:00:00Z')
const arbitraryRule = fc
  .record({
    enabled: fc.constantFrom(true, true, false),
    priority: fc.integer({ min: -2, max: 2 }),
    when: fc.array(arbitraryCondition, { minLength: 1, maxLength: 3 }),
    schedule: fc.array(fc.record({ from: time, until: time }), { minLength: 1, maxLength: 2 }),
    strategy: fc.constantFrom('', '', 'on', 'off', 'noon', 'gone'),
  })
  .map(({ strategy, ...rule }) => (strategy === '' ? rule : { ...rule, strategy }))
const STRATEGIES = new Strategies(
  Object.entries({
    on: { enabled: true },
    off: { enabled: false },
    noon: { schedule: [{ from: new Date(NOON).toISOString() }] },
  }).map(([name, value]) => ({ kind: 'strategy', name, json: JSON.stringify(value) })),
)

/**
 * The plain definition, rule by rule and condition by condition, without an index or cache.
 */
function naiveMatching(
  rules: Rules,
  { q = '*', contexts = [], filterBy, nowMs = NOON }: Asked,
): string[] {
  const isEmpty = !/[\p{L}\p{N}]/u.test(q)
  const { length } = wordLattice(q, analyzer)
  const runs: [from: number, to: number][] = []
  for (let from = 0; from < length; from++) {
    for (let to = from + 1; to <= length; to++) runs.push([from, to])
  }
  const standsIn = (query: string, mayStand: (from: number, to: number) => boolean) => {
    const own = readings(query, 0, wordLattice(query, analyzer).length, analyzer)
    return runs
      .filter(([from, to]) => mayStand(from, to))
      .some(([from, to]) => readings(q, from, to, analyzer).some((one) => own.includes(one)))
  }
  const places = {
    exact: (from: number, to: number) => from === 0 && to === length,
    contains: () => true,
    starts_with: (from: number) => from === 0,
    ends_with: (_: number, to: number) => to === length,
  }
  const active = filterBy?.split(' && ') ?? []
  const holds = ({ match = 'any', query, contexts: wanted, filter_by }: RuleCondition) => {
    if (match === 'empty' && !isEmpty) return false
    if (match !== 'empty' && match !== 'any' && (isEmpty || !standsIn(query!, places[match])))
      return false
    if (wanted !== undefined && !wanted.some((one) => contexts.includes(one))) return false
    return (
      filter_by === undefined || filter_by.split(' && ').every((clause) => active.includes(clause))
    )
  }
  return Object.entries(rules)
    .filter(([, { enabled, when, schedule, strategy }]) => {
      const isOn = schedule!.some(
        ({ from, until }) => nowMs >= Date.parse(from!) && nowMs < Date.parse(until!),
      )
      const isStrategyOn =
        strategy === undefined || strategy === 'on' || (strategy === 'noon' && nowMs >= NOON)
      return enabled && isOn && isStrategyOn && when!.some(holds)
    })
    .toSorted(([a, x], [b, y]) => y.priority! - x.priority! || (a < b ? -1 : 1))
    .map(([id]) => id)
}

// Goal: the index of conditions changes nothing. Method: the same rules and searches through the
// plain definition.
test('generated rules match generated searches as in the naive model', () => {
  const asked = fc.record({
    q: fc.oneof(arbitraryText, arbitraryText, fc.constantFrom('*', '', '!!!')),
    contexts: fc.subarray(CONTEXTS),
    filterBy: fc.option(
      fc
        .subarray(['brand:=Nike', 'price:<10', 'in_stock:true', 'stock:>3'], { minLength: 1 })
        .map((all) => all.join(' && ')),
      { nil: undefined },
    ),
    nowMs: fc.constantFrom(NOON, NOON - 1, NOON + 12 * 3_600_000),
  })
  const rules = fc.dictionary(fc.constantFrom(...'abcdefghijkl'), arbitraryRule, { maxKeys: 12 })
  fc.assert(
    fc.property(rules, fc.array(asked, { minLength: 1, maxLength: 4 }), (given, all) => {
      const set = ruleSet(given)
      for (const one of all) {
        const { ids } = ask(set, { ...one, strategies: STRATEGIES })
        assert.deepEqual(ids, naiveMatching(given, one))
      }
    }),
    { numRuns: Number(process.env['FUZZ_RUNS'] ?? 300) },
  )
})

suite('the strategy of a rule', () => {
  const strategy = (value: object) => ({
    kind: 'strategy' as const,
    name: 'sale',
    json: JSON.stringify({ title: 'Sale', ...value }),
  })
  const applies = (value: object | undefined, nowMs = NOON, rule: Partial<KeptRule> = {}) => {
    const strategies = new Strategies(value === undefined ? [] : [strategy(value)])
    const set = ruleSet({ it: { strategy: 'sale', ...rule } })
    return ask(set, { nowMs, strategies }).ids.length === 1
  }
  const june = [{ from: '2026-06-01T00:00:00Z', until: '2026-07-01T00:00:00Z' }]

  test('decides whether it applies: its switch, and its dates', () => {
    assert.equal(applies({ enabled: true }), true)
    assert.equal(applies({ enabled: false }), false)
    assert.equal(applies({ enabled: true, schedule: june }), true)
    assert.equal(applies({ schedule: june }, Date.parse('2026-07-01T00:00:00Z')), false)
  })

  test('must exist', () => {
    assert.equal(applies(undefined), false)
  })

  test('adds to the dates of the rule', () => {
    const schedule = [{ until: '2026-06-01T00:00:00Z' }]
    assert.equal(applies({ schedule: june }, NOON, { schedule }), false)
  })
})
