import assert from 'node:assert/strict'
import test, { suite } from 'node:test'
import { createAnalyzer } from '@aisle/engine'
import type { LogEntry, Visitor } from '@aisle/event-log'
import fc from 'fast-check'
import { DAY_MS, followed, NOON_MS, searched } from '../history/events-for-test.ts'
import { QueryHistory } from '../history/query-history.ts'
import { buildSuggestionIndex } from '../index/build-index.ts'
import type { CatalogName } from '../index/catalog-name.ts'
import { popularityOfRank, SuggestionIndex } from '../index/suggestion-index.ts'
import { dayOf, WINDOWS } from '../index/windows.ts'
import { naiveSuggestions } from '../naive/naive-suggestions.ts'
import { interestsOf } from '../profile/alignment.ts'
import { buildProfileIndex, ProfileIndex } from '../profile/profile-index.ts'
import { looksPersonal } from '../text/personal-text.ts'
import { SuggestionMatcher, type MatchRequest } from './match-suggestions.ts'
import { readTyped } from './typed-text.ts'

const analyzer = createAnalyzer('en')
const EVERYTHING = {
  window: 1,
  depth: 1_000,
  minPopularity: 0,
  minSessions: 1,
  minNetworks: 1,
  tags: [],
  allTags: false,
  beginningOnly: false,
  typos: true,
  interests: [],
} satisfies Omit<MatchRequest, 'typed'>

function folded(entries: readonly LogEntry[], nowMs: number): QueryHistory {
  const history = new QueryHistory(analyzer)
  for (const entry of entries) history.apply(entry)
  history.tick(nowMs)
  return history
}

function matcherOf(
  entries: readonly LogEntry[],
  nowMs = NOON_MS + 60_000,
  names: readonly CatalogName[] = [],
  meantBy: (shown: string) => string | undefined = () => undefined,
): SuggestionMatcher {
  const { table, documents: all } = folded(entries, nowMs)
  const { documents } = all
  const spellings = { of: (text: string) => ({ isCertain: false, meant: meantBy(text) }) }
  const input = { table, documents, names, spellings, analyzer, today: dayOf(nowMs) }
  return new SuggestionMatcher(new SuggestionIndex(buildSuggestionIndex(input)))
}

function ask(matcher: SuggestionMatcher, q: string, request: Partial<MatchRequest> = {}): string[] {
  const { found } = matcher.match({ ...EVERYTHING, ...request, typed: readTyped(q, analyzer) })
  return found.map(({ entry }) => matcher.index.texts.get(entry))
}

/** That many sessions search for it. */
function times(query: string, count: number): LogEntry[] {
  return Array.from({ length: count }, (_, i) => searched(query, { sessionId: `${query} ${i}` }))
}

suite('finding suggestions', () => {
  const matcher = matcherOf([
    ...times('red running shoes', 5),
    ...times('running shirt', 7),
    ...times('Shoe', 3),
    ...times('shoes', 2),
    ...times('café crème', 4),
    ...times('skateboard', 2),
    ...times('t-shirt', 1),
  ])

  test('entries with the prefix come first, by popularity; then those with the word elsewhere', () => {
    assert.deepEqual(ask(matcher, 'run'), ['running shirt', 'red running shoes'])
    assert.deepEqual(ask(matcher, 'sho'), ['shoe', 'red running shoes'])
    assert.deepEqual(ask(matcher, 'sho', { beginningOnly: true }), ['shoe'])
  })

  test('near-duplicates are one suggestion, in its commonest spelling', () => {
    const [best] = matcher.match({ ...EVERYTHING, typed: readTyped('shoes', analyzer) }).found
    assert.equal(popularityOfRank(best!.rank), 5)
    assert.deepEqual(ask(matcher, 'cafe'), ['café crème'])
    assert.deepEqual(ask(matcher, 'CAFÉ c'), ['café crème'])
  })

  test('words may come in any order, be mistyped, joined, or in the middle of another', () => {
    assert.deepEqual(ask(matcher, 'shoes red'), ['red running shoes'])
    assert.deepEqual(ask(matcher, 'runnign'), ['running shirt', 'red running shoes'])
    assert.deepEqual(ask(matcher, 'runnign', { typos: false }), [])
    assert.deepEqual(ask(matcher, 'tshirt', { typos: false }), ['t-shirt'])
    assert.deepEqual(ask(matcher, 'board'), ['skateboard'])
  })

  test('a finished word is not the beginning of another', () => {
    assert.deepEqual(ask(matcher, 'run ', { typos: false }), ['running shirt', 'red running shoes'])
    assert.deepEqual(ask(matcher, 'skate ', { typos: false, beginningOnly: true }), [])
  })

  test('an unfinished Korean syllable begins what it can still become', () => {
    const korean = matcherOf([
      ...times('가방', 5),
      ...times('갑옷', 6),
      ...times('여행 가방', 7),
      ...times('강남', 4),
      ...times('과일', 3),
      ...times('나무', 2),
    ])
    assert.deepEqual(ask(korean, 'ㄱ'), ['갑옷', '가방', '강남', '과일', '여행 가방'])
    assert.deepEqual(ask(korean, '가'), ['갑옷', '가방', '강남', '여행 가방'])
    assert.deepEqual(ask(korean, '갑'), ['갑옷', '가방', '여행 가방'])
    assert.deepEqual(ask(korean, '가바'), ['가방', '여행 가방'])
    assert.deepEqual(ask(korean, '고'), ['과일'])
    assert.deepEqual(ask(korean, '여행 갑'), ['여행 가방'])
    assert.deepEqual(ask(korean, '가방 여ㅎ'), ['여행 가방'])
    assert.deepEqual(ask(korean, '갑', { beginningOnly: true, depth: 1 }).slice(0, 1), ['갑옷'])
    assert.deepEqual(ask(korean, '가바 '), [])
  })

  test('names of the catalog need no searches, and rank after searched queries', () => {
    const names = [
      { text: 'Runners World', docCount: 50 },
      { text: 'Running Shirts', docCount: 9 },
    ]
    const cold = matcherOf(times('running shirt', 1), undefined, names)
    assert.deepEqual(ask(cold, 'run'), ['running shirt', 'runners world'])
    assert.deepEqual(ask(cold, 'run', { minSessions: 2 }), ['runners world', 'running shirt'])
    assert.deepEqual(ask(cold, 'run', { minPopularity: 1 }), ['running shirt'])
  })

  test('guards: networks, sessions, an allow list', () => {
    const from = (network: string, i: number): LogEntry =>
      searched('tent', { sessionId: `${network}${i}`, network })
    const guarded = matcherOf([from('a', 1), from('a', 2), from('b', 3), ...times('tea', 9)])
    assert.deepEqual(ask(guarded, 'te', { minNetworks: 2 }), ['tent'])
    assert.deepEqual(ask(guarded, 'te', { minNetworks: 3 }), [])
    assert.deepEqual(ask(guarded, 'te', { minSessions: 4 }), ['tea'])
    assert.deepEqual(ask(guarded, 'te', { allowed: new Set([guarded.index.find('tent')]) }), [
      'tent',
    ])
  })

  test('one visitor on many days is one visitor', () => {
    const on = (day: number, visitor: Visitor): LogEntry =>
      searched('tent', visitor, { atMs: NOON_MS + day * DAY_MS })
    const anna = (day: number): Visitor => ({ anonymousId: 'anna', sessionId: `${day}` })
    const days = [0, 1, 2, 3, 4]
    const nowMs = NOON_MS + 5 * DAY_MS
    const alone = matcherOf(
      days.map((day) => on(day, anna(day))),
      nowMs,
    )
    assert.deepEqual(ask(alone, 'te', { minSessions: 2 }), [])
    const nameless = days.map((day) => on(day, { client: `of day ${day}`, network: 'home' }))
    assert.deepEqual(ask(matcherOf(nameless, nowMs), 'te', { minSessions: 2 }), [])
    const both = matcherOf(
      [on(0, { userId: 'ben' }), ...days.map((day) => on(day, anna(day)))],
      nowMs,
    )
    assert.deepEqual(ask(both, 'te', { minSessions: 2 }), ['tent'])
    assert.deepEqual(ask(both, 'te', { minSessions: 3 }), [])
  })

  test('for an empty query, queries of one session and single characters are hidden', () => {
    const many = matcherOf([...times('tent', 2), ...times('tnet', 1), ...times('t', 9)])
    assert.deepEqual(ask(many, ''), ['tent'])
    assert.deepEqual(ask(many, 't'), ['t', 'tent', 'tnet'])
    const names = [
      { text: 'X', docCount: 7 },
      { text: 'Fells', docCount: 2 },
    ]
    assert.deepEqual(ask(matcherOf(times('fells', 1), undefined, names), ''), ['fells'])
  })

  test('what a visitor searched for ranks higher, within a bound', () => {
    const anna = { userId: 'anna', sessionId: 'x' }
    const entries = [
      ...times('tea', 4),
      ...times('tent', 2),
      ...times('television', 50),
      searched('tents', anna),
    ]
    const { profiles } = folded(entries, NOON_MS + 60_000)
    const index = new ProfileIndex(buildProfileIndex(profiles.items))
    const interests = interestsOf(index.of({ userId: 'anna' }), NOON_MS)
    const personal = matcherOf(entries)
    assert.deepEqual(ask(personal, 'te'), ['television', 'tea', 'tent'])
    assert.deepEqual(ask(personal, 'te', { interests }), ['television', 'tent', 'tea'])
    assert.deepEqual(index.of({ userId: 'bob' }), [])
  })

  test('every prefix of every suggestion gives the entries with that prefix, by popularity', () => {
    const popularities = Array.from({ length: 300 }, (_, i) => {
      const words = ['lamp', 'laptop', 'late', 'tent', 'tea', 'table']
      return [`${words[i % 6]} ${words[(i >> 2) % 6]}${i}`, 1 + ((i * 37) % 50)] as const
    })
    const many = matcherOf(popularities.flatMap(([query, count]) => times(query, count)))
    for (const [query] of popularities) {
      for (let length = 1; length <= query.length; length++) {
        const prefix = query.slice(0, length).trimEnd()
        const expected = popularities
          .filter(([other]) => other.startsWith(prefix))
          .toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
          .slice(0, 10)
          .map(([other]) => other)
        assert.deepEqual(
          ask(many, prefix, { depth: 10, beginningOnly: true }).slice(0, 10),
          expected,
        )
      }
    }
  })
})

suite('misspelt queries', () => {
  const meant = new Map([
    ['wireles', 'wireless'],
    ['wireles mouse', 'wireless mouse'],
    ['runing shoe', 'running shoe'],
    ['matress', 'mattress'],
  ])
  const meantBy = (shown: string): string | undefined => meant.get(shown)
  const popularity = (matcher: SuggestionMatcher, q: string): [string, number][] =>
    matcher
      .match({ ...EVERYTHING, typed: readTyped(q, analyzer) })
      .found.map(({ entry, rank }) => [matcher.index.texts.get(entry), popularityOfRank(rank)])

  test('count for their correction, even if nobody typed it', () => {
    const matcher = matcherOf(
      [...times('wireles', 3), ...times('wireless', 2), ...times('wireles mouse', 1)],
      undefined,
      [],
      meantBy,
    )
    assert.deepEqual(popularity(matcher, 'wire'), [
      ['wireless', 5],
      ['wireless mouse', 1],
    ])
    assert.equal(matcher.index.find('wirel'), matcher.index.find('wireless'))
  })

  test('with the same stems are shown in the correct spelling', () => {
    const matcher = matcherOf(times('Runing Shoe', 2), undefined, [], (shown) =>
      shown === 'runing shoe' ? 'running shoe' : undefined,
    )
    assert.deepEqual(popularity(matcher, 'run'), [['running shoe', 2]])
  })

  test('of one visitor in several spellings count as one visitor', () => {
    const visitor = { anonymousId: 'anna', sessionId: 's' }
    const later = { atMs: NOON_MS + 60_000 }
    const matcher = matcherOf(
      [searched('wireles', visitor), searched('wireless', visitor, later)],
      NOON_MS + 120_000,
      [],
      meantBy,
    )
    assert.deepEqual(ask(matcher, 'wire', { minSessions: 2 }), [])
    assert.deepEqual(ask(matcher, 'wire'), ['wireless'])
  })

  test('are related to the related queries of all their spellings, not to themselves', () => {
    const both = (a: string, b: string): LogEntry[] => [
      searched(a, { sessionId: `${a} ${b}` }),
      searched(b, { sessionId: `${a} ${b}` }, { atMs: NOON_MS + 20_000 }),
    ]
    const entries = [
      ...both('wireles', 'wireless'),
      ...both('matress', 'wireles'),
      ...both('wireless', 'tent'),
    ]
    const { index } = matcherOf(entries, NOON_MS + 60_000, [], meantBy)
    const related = Array.from(index.related.of(index.find('wireless')), (entry) =>
      index.texts.get(entry),
    )
    assert.deepEqual(related.toSorted(), ['mattress', 'tent'])
  })

  test('do not include names of the catalog, nor truncated names', () => {
    const names = [
      { text: 'Matress', docCount: 3 },
      { text: 'Bed, Bath and', docCount: 9 },
      { text: 'Bed and Bath', docCount: 9 },
      { text: 'And', docCount: 2 },
    ]
    const matcher = matcherOf([], undefined, names, meantBy)
    const { texts } = matcher.index
    const all = Array.from({ length: texts.length }, (_, i) => texts.get(i))
    assert.deepEqual(all, ['and', 'bed and bath'])
  })
})

suite('trends', () => {
  test('growing queries are trending, not popular ones', () => {
    const steady = Array.from({ length: 30 }, (_, day) =>
      Array.from({ length: 20 }, (_, i) =>
        searched('tent', { sessionId: `${day} ${i}` }, { atMs: NOON_MS - day * DAY_MS }),
      ),
    ).flat()
    const { index } = matcherOf([...steady.toReversed(), ...times('fan', 6)])
    const { trending } = index.windows[1]!
    assert.deepEqual(
      Array.from(trending, (entry) => index.texts.get(entry)),
      ['fan'],
    )
  })

  test('queries of the same sessions are related, the commonest first', () => {
    const both = (a: string, b: string, i: number): LogEntry[] => [
      searched(a, { sessionId: `s${i}` }, { atMs: NOON_MS + i * 60_000 }),
      searched(b, { sessionId: `s${i}` }, { atMs: NOON_MS + i * 60_000 + 20_000 }),
    ]
    const { index } = matcherOf(
      [...both('tent', 'stove', 1), ...both('tent', 'lamp', 2), ...both('lamp', 'tent', 3)],
      NOON_MS + 3_600_000,
    )
    const related = index.related.of(index.find('tent'))
    assert.deepEqual(
      Array.from(related, (entry) => index.texts.get(entry)),
      ['lamp', 'stove'],
    )
  })
})

suite('against the naive model', () => {
  const MEANT = new Map([
    ['rde', 'red tent'],
    ['campin', 'camp tent'],
    ['teapot', 'red tea pot'],
    ['car', 'carpet'],
  ])
  const query = fc.constantFrom(
    'tent',
    'Tents',
    'tent peg',
    'red tent',
    'tea',
    'teapot',
    'red tea pot',
    'ténts',
    'camp tent',
    'carpet',
    'car',
    'anna@example.com',
    '0170 1234567',
    'rde',
    'campin',
    't',
    '𐐷',
    '가방',
    '여행 가방',
    '갑옷',
    '값',
    '과일',
  )
  const event = fc.record({
    query,
    session: fc.integer({ min: 0, max: 5 }),
    waitMs: fc.constantFrom(500, 4_000, 40_000_000, 3 * DAY_MS),
    kind: fc.constantFrom('search', 'search', 'search', 'click', 'conversion'),
    found: fc.constantFrom(0, 1, 7),
    tags: fc.subarray(['web', 'app', 'sale']),
    corrected: fc.option(fc.constantFrom('tent', 'red tent'), { nil: undefined, freq: 5 }),
  })
  const request = fc.record({
    window: fc.constantFrom(0, 1, 2),
    tags: fc.subarray(['web', 'app']),
    allTags: fc.boolean(),
    minPopularity: fc.constantFrom(0, 2, 5),
    minSessions: fc.constantFrom(1, 2, 3),
    beginningOnly: fc.boolean(),
    typed: fc.constantFrom(
      '',
      't',
      'te',
      'ten',
      'tnet',
      'tent ',
      'pot',
      'red',
      'tent red',
      'camp',
      'arp',
      'teh',
      'ㄱ',
      '갑',
      '가바',
      '고',
      '가방 여ㅎ',
    ),
  })

  test('the same suggestions, with the same popularity, in the same order, none personal', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), request, (steps, { typed, ...asked }) => {
        let atMs = NOON_MS
        const entries = steps.map(
          ({ query: text, session, waitMs, kind, found, tags, corrected }) => {
            atMs += waitMs
            // Two sessions for each of the first visitors; the last ones are known by their
            // sessions only.
            const anonymousId = session < 4 ? `v${session >> 1}` : undefined
            const visitor = { sessionId: `s${session}`, ...(anonymousId && { anonymousId }) }
            return kind === 'click' || kind === 'conversion'
              ? followed(kind, { query: text, analytics_tags: tags }, visitor, atMs)
              : searched(text, visitor, { atMs, found, tags, ...(corrected && { corrected }) })
          },
        )
        const nowMs = atMs + 10_000
        const meantBy = (shown: string): string | undefined => MEANT.get(shown)
        const matcher = matcherOf(entries, nowMs, [], meantBy)
        const words = readTyped(typed, analyzer)
        const { found, total } = matcher.match({ ...EVERYTHING, ...asked, typed: words })
        const { days } = WINDOWS[asked.window]!
        const wanted = { ...asked, days, nowMs, meantBy }
        const expected = naiveSuggestions(entries, words, wanted, analyzer)
        const actual = found.map(({ entry, rank }) => ({
          query: matcher.index.texts.get(entry),
          popularity: popularityOfRank(rank),
        }))
        assert.deepEqual(actual, expected)
        assert.equal(total, expected.length)
        assert.ok(actual.every((one) => !looksPersonal(one.query)))
      }),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 300) },
    )
  })
})
