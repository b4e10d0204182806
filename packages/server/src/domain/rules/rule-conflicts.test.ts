import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { createAnalyzer, type Schema } from '@aisle/engine'
import type { RuleCondition, RuleConflict } from '@aisle/contract'
import { shopSchema } from '../plan/plan-fixture.ts'
import { allOf } from '../expressions/filter-nodes.ts'
import { NO_COLLECTIONS } from '../expressions/collections.ts'
import { parseFilter } from '../expressions/filter-parser.ts'
import { AnalysedQuery } from '../query/analysed-query.ts'
import { Gradual } from '../turns/gradual.ts'
import { conflictsOfRule, ruleConflicts, type ConflictContext } from './rule-conflicts.ts'
import { CompiledRule, inOrder, RuleSet, type KeptRule } from './rule-set.ts'
import { Strategies } from './strategies.ts'

const analyzer = createAnalyzer('en')
const LIMITS = { conflictsMax: 100_000, comparisonsMax: 1_000_000 }
const context: ConflictContext = {
  schema: shopSchema as Schema,
  dates: { nowMs: Date.parse('2026-06-01T12:00:00Z'), timeZone: 'UTC' },
  strategies: Strategies.none,
  collections: NO_COLLECTIONS,
}
const STRATEGY_OFF = new Strategies([
  { kind: 'strategy', name: 'sale', json: '{"title":"Sale","enabled":false}' },
])

type Rules = Readonly<Record<string, Partial<KeptRule>>>

const compiled = (rules: Rules): CompiledRule[] =>
  Object.entries(rules).map(([name, rule]) => {
    const json = JSON.stringify({ enabled: true, priority: 0, ...rule })
    return new CompiledRule({ kind: 'rule', name, json }, analyzer)
  })

const all = (rules: Rules, given = context) =>
  new Gradual(() => ruleConflicts(compiled(rules), given, LIMITS)).value.conflicts

/** "position 1: a over b" */
const said = ({ subject, key, winner, loser }: RuleConflict): string =>
  `${[subject, key].filter((part) => part !== undefined).join(' ')}: ${winner.id} over ${loser.id}`

const conflicts = (rules: Rules, given?: ConflictContext): string[] => all(rules, given).map(said)

const tent: RuleCondition = { query: 'tent', match: 'contains' }
const pinsAt = (id: string, position: number) => ({ pin: [{ id, position }] })

suite('what contradicts', () => {
  test('names both rules, what they do, and which one wins', () => {
    const [one] = all({
      season: { description: 'Summer', priority: 5, when: [tent], ...pinsAt('p1', 1) },
      usual: { when: [{ query: 'tent' }], ...pinsAt('p2', 1) },
    })
    assert.deepEqual(one, {
      subject: 'position',
      key: '1',
      winner: { id: 'season', title: 'Summer', action: 'pins `p1` there' },
      loser: { id: 'usual', title: 'usual', action: 'pins `p2` there' },
      search: { q: 'tent' },
    })
  })

  const cases: readonly (readonly [Partial<KeptRule>, Partial<KeptRule>, string[]])[] = [
    [{ hide: ['p1'] }, pinsAt('p1', 1), ['document p1: a over b']],
    [pinsAt('p1', 1), pinsAt('p1', 2), ['document p1: a over b']],
    [pinsAt('p1', 1), pinsAt('p1', 1), []],
    [{ hide: ['p1'] }, { hide: ['p1'] }, []],
    [{ redirect: '/a' }, { redirect: '/b' }, ['redirect: a over b']],
    [{ redirect: '/a' }, { redirect: '/a' }, []],
    [{ sort_by: 'price:asc' }, { sort_by: ['price:desc'] }, ['sort: a over b']],
    [{ replace_query: 'x' }, { replace_query: 'y' }, ['query: a over b']],
    [{ exact_match_boost: true }, { exact_match_boost: false }, ['exact_match_boost: a over b']],
    [{ semantic: 'on' }, { semantic: 'off' }, ['semantic: a over b']],
    [{ semantic_weight: 0 }, { semantic_weight: 1 }, ['semantic_weight: a over b']],
    [
      { facet_display: { order: ['brand'], facets: { brand: { limit: 1 } } } },
      { facet_display: { order: ['price'], facets: { price: { limit: 1 } } } },
      ['facet_display order: a over b'],
    ],
    [{ metadata: { x: 1, y: 2 } }, { metadata: { x: 2, y: 2 } }, ['metadata x: a over b']],
    [{ banner: 'one' }, { banner: 'two' }, []],
    [{ filter_by: 'price:>1' }, { filter_by: 'price:>2' }, []],
  ]
  for (const [a, b, expected] of cases) {
    test(`${JSON.stringify(a)} and ${JSON.stringify(b)}`, () => {
      assert.deepEqual(conflicts({ a, b }), expected)
    })
  }
})

suite('which rules can meet', () => {
  const a = pinsAt('p1', 1)
  const b = pinsAt('p2', 1)
  const meet = (x: RuleCondition, y: RuleCondition): boolean =>
    conflicts({ a: { ...a, when: [x] }, b: { ...b, when: [y] } }).length > 0
  const cases: readonly (readonly [RuleCondition, RuleCondition, boolean])[] = [
    [tent, { query: 'family tents' }, true],
    [tent, { query: 'stove' }, false],
    [{ query: 'tent' }, { query: 'family tent' }, false],
    [{ query: 'dome tent', match: 'contains' }, { query: 'tent', match: 'ends_with' }, true],
    [tent, { query: 'stove', match: 'contains' }, false],
    [tent, {}, true],
    [tent, { match: 'empty' }, false],
    [{ match: 'empty' }, { match: 'any' }, true],
    [{ filter_by: 'brand:=A' }, { filter_by: 'brand:=B' }, false],
    [{ filter_by: 'brand:=A' }, { filter_by: 'price:>1 && brand:=a' }, true],
    [{ ...tent, filter_by: 'brand:=A' }, { query: 'tent' }, true],
    [{ contexts: ['web'] }, { contexts: ['app', 'web'] }, true],
    [{ contexts: ['web'] }, { contexts: ['app'] }, false],
    [{ contexts: ['web'] }, tent, true],
  ]
  for (const [x, y, expected] of cases) {
    test(`${JSON.stringify(x)} and ${JSON.stringify(y)}: ${expected}`, () => {
      assert.equal(meet(x, y), expected)
      assert.equal(meet(y, x), expected)
    })
  }

  test('their dates must overlap from now on, those of their strategies too', () => {
    const july = [{ from: '2026-07-01T00:00:00Z', until: '2026-08-01T00:00:00Z' }]
    const august = [{ from: '2026-08-01T00:00:00Z' }]
    const past = [{ until: '2026-05-01T00:00:00Z' }]
    assert.equal(conflicts({ a: { ...a, schedule: july }, b }).length, 1)
    assert.equal(
      conflicts({ a: { ...a, schedule: july }, b: { ...b, schedule: august } }).length,
      0,
    )
    assert.equal(conflicts({ a: { ...a, schedule: past }, b: { ...b, schedule: past } }).length, 0)
    const off = { ...context, strategies: STRATEGY_OFF }
    assert.equal(conflicts({ a: { ...a, strategy: 'sale' }, b }, off).length, 0)
  })

  test('a rule that does not fit the schema meets none', () => {
    assert.equal(meet({ filter_by: 'gone:=A' }, {}), false)
  })
})

const word = fc.constantFrom('tent', 'tents', 'red', 'stove')
const words = fc.array(word, { minLength: 1, maxLength: 3 }).map((list) => list.join(' '))
const condition: fc.Arbitrary<RuleCondition> = fc
  .record({
    how: fc.oneof(
      fc.record({
        query: words,
        match: fc.constantFrom('exact', 'contains', 'starts_with', 'ends_with'),
      }),
      fc.record({ match: fc.constantFrom('any', 'empty') }),
    ),
    contexts: fc.option(fc.subarray(['web', 'app', 'till'], { minLength: 1 }), { nil: undefined }),
    filter_by: fc.option(
      fc.constantFrom('brand:=A', 'brand:=B', 'brand:=A && price:>1', 'price:>1', 'gone:=1'),
      { nil: undefined },
    ),
  })
  .map(({ how, contexts, filter_by }) => ({
    ...how,
    ...(contexts === undefined ? {} : { contexts }),
    ...(filter_by === undefined ? {} : { filter_by }),
  })) as fc.Arbitrary<RuleCondition>
const rule: fc.Arbitrary<Partial<KeptRule>> = fc.record({
  priority: fc.integer({ min: 0, max: 2 }),
  when: fc.array(condition, { minLength: 1, maxLength: 2 }),
  pin: fc.uniqueArray(
    fc.record({ id: fc.constantFrom('p1', 'p2'), position: fc.integer({ min: 1, max: 2 }) }),
    { selector: ({ id }) => id, maxLength: 2 },
  ),
  hide: fc.subarray(['p3', 'p4']),
})

/** Asks the rules themselves: whether some search of one of the two conditions meets both. */
function naiveMeet(a: CompiledRule, b: CompiledRule): boolean {
  const set = new RuleSet([a, b])
  const { schema, dates, strategies, collections } = context
  return a.conditions.some((x) =>
    b.conditions.some((y) => {
      const pair = new RuleSet([...compiled({ x: { when: [plain(x)] }, y: { when: [plain(y)] } })])
      const queries = ['*', x.query, y.query].filter((q) => q !== undefined)
      const contexts = [undefined, ...(x.contexts ?? []), ...(y.contexts ?? [])]
      const filters = [undefined, x.filterBy, y.filterBy]
      return queries.some((q) =>
        contexts.some((one) =>
          filters.some((filterBy) => {
            const filter = () => {
              if (filterBy === undefined || filterBy.startsWith('gone')) return undefined
              return allOf([parseFilter(filterBy, schema, analyzer)])
            }
            const query = new AnalysedQuery(q, analyzer)
            const occasion = {
              query,
              contexts: one === undefined ? [] : [one],
              filter,
              schema,
              dates,
              strategies,
              collections,
            }
            const met = pair.matching(occasion).rules.length === 2
            // What the pair of conditions meets, the rules meet.
            if (met) assert.equal(set.matching(occasion).rules.length, 2)
            return met
          }),
        ),
      )
    }),
  )
}

function plain({ query, match, contexts, filterBy }: CompiledRule['conditions'][number]) {
  return {
    match,
    ...(query === undefined ? {} : { query }),
    ...(contexts === undefined ? {} : { contexts: [...contexts] }),
    ...(filterBy === undefined ? {} : { filter_by: filterBy }),
  }
}

/** Every pair, and what the definition says about it. */
function naiveConflicts(rules: readonly CompiledRule[]): string[] {
  const sorted = rules.toSorted(inOrder)
  return sorted.flatMap((a, i) =>
    sorted.slice(i + 1).flatMap((b) => {
      if (!naiveMeet(a, b)) return []
      const { pin: pins = [], hide = [] } = a.kept
      const { pin: others = [], hide: hides = [] } = b.kept
      const found: string[] = []
      for (const { id, position } of pins) {
        const other = others.find((one) => one.id === id)
        if (other !== undefined && other.position !== position) found.push(`document ${id}`)
        if (hides.includes(id)) found.push(`document ${id}`)
        const there = others.find((one) => one.position === position)
        if (there !== undefined && there.id !== id) found.push(`position ${position}`)
      }
      for (const id of hide) if (others.some((one) => one.id === id)) found.push(`document ${id}`)
      return found.map((what) => `${what}: ${a.id} over ${b.id}`)
    }),
  )
}

test('conflicts are those that a comparison of every pair finds, for all rules and for each', () => {
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 6 }), (list) => {
      const distinct = list.map((one) => {
        const { pin = [] } = one
        const taken = new Set<number>()
        const kept = pin.filter(({ position }) => !taken.has(position) && taken.add(position))
        return { ...one, pin: kept }
      })
      const rules = compiled(Object.fromEntries(distinct.map((one, i) => [`r${i}`, one])))
      const expected = naiveConflicts(rules).toSorted()
      const whole = new Gradual(() => ruleConflicts(rules, context, LIMITS)).value
      assert.deepEqual(whole.conflicts.map(said).toSorted(), expected)
      assert.equal(whole.isComplete, true)
      for (const one of rules) {
        const own = new Gradual(() => conflictsOfRule(one, rules, context, LIMITS)).value
        assert.deepEqual(
          own.conflicts.map(said).toSorted(),
          expected.filter((text) => text.split(' ').includes(one.id)),
        )
      }
    }),
    { numRuns: 300 },
  )
})
