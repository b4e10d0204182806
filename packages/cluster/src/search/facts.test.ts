import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { ClusterConnection } from '../opensearch/cluster-connection.ts'
import { createAnalyzer } from '@aisle/engine'
import { askBeside } from './asked.ts'
import { ClusterCatalog } from './cluster-catalog.ts'
import { CountedWords } from './counted-words.ts'
import { FactCache } from './fact-cache.ts'
import { Facts } from './facts.ts'
import { listing } from './listing-cluster-for-test.ts'
import type { SearchPlace } from './search-place.ts'
import { formsQuestion, groupCount } from './word-questions.ts'

const PLACE = { scope: '1a', index: 'pool', routing: 'shop', slots: [], language: 'en' }
const WORDS = Array.from({ length: 20 }, (_, at) => `word${at}`)

interface Body {
  readonly query?: { readonly term?: Record<string, string> }
  readonly aggs?: { readonly counts?: { readonly terms: { readonly include: readonly string[] } } }
}

/**
 * A cluster with this number of documents, where `wordN` is in N + 1 of them but for word0.
 */
function clusterOf(docCount: number): { connection: ClusterConnection; asked: Body[] } {
  const asked: Body[] = []
  const countOf = (term: string): number => {
    const at = Number(term.slice('1a/word'.length))
    return at === 0 ? 0 : at + 1
  }
  const answer = (body: Body): object => {
    asked.push(body)
    const term = Object.values(body.query?.term ?? {})[0]
    const buckets = (body.aggs?.counts?.terms.include ?? []).flatMap((key) =>
      countOf(key) === 0 ? [] : [{ key, doc_count: countOf(key) }],
    )
    const value = term === undefined || term === '1a' ? docCount : countOf(term)
    const hits = { total: { value }, hits: [] }
    return { took: 0, hits, aggregations: { counts: { buckets } } }
  }
  const request = async ({ lines }: { lines: Body[] }): Promise<object> => ({
    responses: lines.filter((_, at) => at % 2 === 1).map(answer),
  })
  return { connection: { request } as unknown as ClusterConnection, asked }
}

async function formCounts(docCount: number): Promise<{ counts: number[]; asked: Body[] }> {
  const { connection, asked } = clusterOf(docCount)
  const place = PLACE as unknown as SearchPlace
  const facts = new Facts(connection, place, new FactCache().of('1a'), undefined)
  const catalog = new ClusterCatalog(facts, place, createAnalyzer('en'))
  await facts.settle(() => catalog.docCount)
  const counts = await facts.settle(() => WORDS.map((word) => catalog.formDocFreq(word)))
  return { counts, asked }
}

suite('Facts about words', () => {
  const expected = WORDS.map((_, at) => (at === 0 ? 0 : at + 1))

  test('counts of many words are one search where documents are few', async () => {
    const { counts, asked } = await formCounts(50_000)
    assert.deepEqual(counts, expected)
    assert.equal(asked.length, 2)
  })

  test('with many documents each word is counted separately', async () => {
    const { counts, asked } = await formCounts(5_000_000)
    assert.deepEqual(counts, expected)
    assert.equal(asked.length, 1 + WORDS.length)
  })

  suite('learned by an earlier search', () => {
    const { connection, asked, words, state } = changing({ red: 2, blue: 0, green: 5 })
    const place = PLACE as unknown as SearchPlace
    let nowMs = 0
    const cache = new FactCache(1_000_000, () => nowMs)
    /** A search that follows from what there is. */
    const search = async (): Promise<{ found: string[]; sent: object[]; requests: number }> => {
      const before = asked.length
      const facts = new Facts(connection, place, cache.of('1a'), undefined)
      const { result, answers } = await facts.confirm(
        () => {
          const catalog = new ClusterCatalog(facts, place, createAnalyzer('en'))
          return ['red', 'blue', 'green'].filter((word) => catalog.groupDocFreq(word) > 0)
        },
        (found) => [{ query: { terms: { groups: found.map((word) => `1a/${word}`) } } }],
        (searches, beside) => askBeside(connection, place, searches, beside, undefined),
      )
      const sent = asked.slice(before).flat()
      assert.equal(answers.length, 1)
      return { found: result, sent, requests: asked.length - before }
    }

    test('nothing is known: what there is, then the search', async () => {
      const { found, requests } = await search()
      assert.deepEqual(found, ['red', 'green'])
      assert.equal(requests, 2)
    })

    test('the second time one request is enough, and asks again for what was not there', async () => {
      const { found, requests, sent } = await search()
      assert.deepEqual(found, ['red', 'green'])
      assert.equal(requests, 1)
      assert.equal(sent.length, 5, 'the search, N, and all words, because documents are few')
    })

    test('a word that is new since is found at once', async () => {
      words.blue = 1
      assert.deepEqual((await search()).found, ['red', 'blue', 'green'])
      assert.equal((await search()).requests, 1)
    })

    test('an old number is asked for in the same request', async () => {
      nowMs += 60_000
      const { found, requests, sent } = await search()
      assert.deepEqual(found, ['red', 'blue', 'green'])
      assert.equal(requests, 1)
      assert.equal(sent.length, 6, 'and the state of the documents, because it may be the same')
    })

    test('a number that has changed asks no more where the search stays the same', async () => {
      nowMs += 60_000
      words.green = 4
      assert.equal((await search()).requests, 1)
    })

    test('a word that has gone is not found', async () => {
      nowMs += 60_000
      words.red = 0
      const { found, requests } = await search()
      assert.deepEqual(found, ['blue', 'green'])
      assert.equal(requests, 2)
    })

    test('while documents stay the same, their state is asked for instead of several numbers', async () => {
      for (let at = 0; at < 3; at++) {
        nowMs += 60_000
        await search()
      }
      const { found, sent, requests } = await search()
      assert.deepEqual(found, ['blue', 'green'])
      assert.deepEqual([requests, sent.length], [1, 2])
      words.red = 3
      assert.deepEqual((await search()).found, ['red', 'blue', 'green'])
    })

    test('where asking for the state takes long, numbers are asked for, and the state again later', async () => {
      state.took = 100
      for (let at = 0; at < 3; at++) {
        nowMs += 60_000
        await search()
      }
      nowMs += 9_000
      assert.equal((await search()).sent.length, 5)
      state.took = 0
      nowMs += 60_000
      assert.equal((await search()).sent.length, 6)
      nowMs += 60_000
      assert.equal((await search()).sent.length, 2)
    })
  })

  suite('listed by an earlier search, while documents stay the same', () => {
    const listed = listing(['red', 'reddish'])
    const place = { ...PLACE, routing: undefined } as unknown as SearchPlace
    const analyzer = createAnalyzer('en')
    let nowMs = 0
    const cache = new FactCache(1_000_000, () => nowMs)
    /** Searches for words that begin with these letters: what was found, and asked for it. */
    const search = async (text: string) => {
      listed.requests.length = 0
      const facts = new Facts(listed.connection, place, cache.of('1a'), undefined)
      const { result } = await facts.confirm(
        () => [
          ...facts.get(formsQuestion(place, { kind: 'beginning', text }, analyzer)).map.keys(),
        ],
        (found) => [{ query: { terms: { words: found } } }],
        (searches, beside) => askBeside(listed.connection, place, searches, beside, undefined),
      )
      return { found: result, asked: listed.requests.splice(0) }
    }

    test('words are listed, and the state of the documents is looked at', async () => {
      const first = await search('re')
      assert.deepEqual(first, { found: ['red', 'reddish'], asked: [['list'], ['search']] })
      const { asked } = await search('re')
      assert.deepEqual(asked, [['state'], ['search', 'list']])
      nowMs += 500
      const again = await search('re')
      assert.deepEqual(again.asked, [['search', 'list']], 'the state at most once a second')
    })

    test('five seconds later, the state is all that is asked', async () => {
      nowMs += 5_000
      await search('re')
      for (let at = 0; at < 3; at++) {
        const { found, asked } = await search('re')
        assert.deepEqual(found, ['red', 'reddish'])
        assert.deepEqual(asked, [['search', 'state']])
        nowMs += 60_000
      }
    })

    test('other words are listed', async () => {
      const { found, asked } = await search('red')
      assert.deepEqual(found, ['red', 'reddish'])
      assert.deepEqual(asked, [['list', 'state'], ['search']])
      assert.deepEqual((await search('red')).asked, [['search', 'state']])
    })

    test('the first search after a change finds what is new', async () => {
      listed.words.push('redder')
      listed.change()
      const { found, asked } = await search('re')
      assert.deepEqual(found, ['red', 'reddish', 'redder'])
      assert.deepEqual(asked, [['search', 'state'], ['search', 'list'], ['search']])
    })

    test('words are listed until the store has not changed for five seconds', async () => {
      listed.words.push('redwood')
      listed.change()
      nowMs += 4_000
      const { found, asked } = await search('re')
      assert.deepEqual(found, ['red', 'reddish', 'redder', 'redwood'])
      assert.deepEqual(asked, [['state'], ['search', 'list'], ['search']])
      nowMs += 4_000
      assert.deepEqual((await search('re')).asked.flat().includes('list'), true)
      nowMs += 1_000
      await search('re')
      assert.deepEqual((await search('re')).asked, [['search', 'state']])
    })

    test('in a shard with other stores, the state is looked at if documents are few', async () => {
      for (const [count, isLookedAt] of [
        [100_000, true],
        [100_001, false],
      ] as const) {
        const { connection, requests } = listing(['red'], count)
        const shared = PLACE as unknown as SearchPlace
        const kept = new FactCache(1_000_000, () => nowMs)
        for (let at = 0; at < 2; at++) {
          const facts = new Facts(connection, shared, kept.of('1a'), undefined)
          await facts.confirm(
            () => {
              const { docCount } = new ClusterCatalog(facts, shared, analyzer)
              const likeness = { kind: 'beginning', text: 're' } as const
              return [docCount, facts.get(formsQuestion(shared, likeness, analyzer)).size]
            },
            (found) => [{ query: { terms: { words: found } } }],
            (searches, beside) => askBeside(connection, shared, searches, beside, undefined),
          )
        }
        assert.equal(requests.flat().includes('state'), isLookedAt)
      }
    })

    test('a word that was there for a moment is not found afterwards', async () => {
      const { words, state } = listed
      listed.words = [...words, 'redeye']
      listed.change()
      assert.deepEqual((await search('rede')).found, [...words, 'redeye'])
      listed.words = words
      listed.state = state
      nowMs += 60_000
      for (let at = 0; at < 3; at++) {
        assert.deepEqual((await search('rede')).found, words)
        nowMs += 60_000
      }
    })

    test('a state that time cut short is not one', async () => {
      await search('re')
      listed.isSlow = true
      const { found, asked } = await search('re')
      assert.equal(found.length, 4)
      assert.deepEqual(asked, [
        ['search', 'state'],
        ['search', 'list', 'state'],
      ])
      listed.isSlow = false
    })
  })

  test('what is probably missing is assumed to be, and found if it is there', async () => {
    const { connection, asked } = changing({ red: 2, blue: 0, green: 5 })
    const place = PLACE as unknown as SearchPlace
    const cache = new FactCache()
    const search = async (words: string[], unlikely: string[]) => {
      const before = asked.length
      const facts = new Facts(connection, place, cache.of('1a'), undefined)
      const { result } = await facts.confirm(
        () => {
          const likely = new Map(unlikely.map((stem) => [stem, 0]))
          const catalog = new ClusterCatalog(facts, place, createAnalyzer('en'), likely)
          return words.filter((word) => catalog.groupDocFreq(word) > 0)
        },
        (found) => [{ query: { terms: { groups: found.map((word) => `1a/${word}`) } } }],
        (searches, beside) => askBeside(connection, place, searches, beside, undefined),
      )
      return { found: result, requests: asked.length - before }
    }
    await search(['red'], [])
    assert.deepEqual(await search(['red', 'blue'], ['blue']), { found: ['red'], requests: 1 })
    const wrong = await search(['red', 'green'], ['green'])
    assert.deepEqual(wrong, { found: ['red', 'green'], requests: 2 })
    const again = await search(['red', 'green'], ['green'])
    assert.deepEqual(again, { found: ['red', 'green'], requests: 1 })
  })

  test('a wrong assumption that changes nothing needs no further request', async () => {
    const { connection, asked } = changing({ red: 2, blue: 0, green: 5 })
    const place = PLACE as unknown as SearchPlace
    const cache = new FactCache()
    const search = async () => {
      const before = asked.length
      const facts = new Facts(connection, place, cache.of('1a'), undefined)
      const { result } = await facts.confirm(
        () => {
          const likely = new Map([['green', 1]])
          const catalog = new ClusterCatalog(facts, place, createAnalyzer('en'), likely)
          return catalog.docCount > 0 && catalog.groupDocFreq('green') > 0
        },
        () => [{ query: { match_all: {} } }],
        (searches, beside) => askBeside(connection, place, searches, beside, undefined),
      )
      assert.equal(result, true)
      return asked.length - before
    }
    assert.equal(await search(), 2, 'N, then the search with the assumption')
    assert.equal(await search(), 1)
  })

  test('what is likely to be asked later goes along with what is asked, once', async () => {
    const { connection, asked } = changing({ red: 2, blue: 0, green: 5 })
    const place = PLACE as unknown as SearchPlace
    const cache = new FactCache()
    const search = async (): Promise<object[][]> => {
      const before = asked.length
      const facts = new Facts(connection, place, cache.of('1a'), undefined)
      facts.expect([groupCount(place, 'green'), groupCount(place, 'red')])
      const counts = await facts.settle(() => {
        const catalog = new ClusterCatalog(facts, place, createAnalyzer('en'))
        return catalog.groupDocFreq('red') > 0 ? catalog.groupDocFreq('green') : 0
      })
      assert.equal(counts, 5)
      return asked.slice(before)
    }
    const [sent, ...more] = await search()
    assert.equal(sent!.length, 3, 'N, red and green')
    assert.equal(more.length, 0)
    assert.equal((await search()).flat().length, 3, 'N and both words: documents are few')
  })

  suite('kept from search to search', () => {
    const list = new CountedWords(WORDS.map((word, at) => [word, at]))

    test('never take more than their bytes', () => {
      const facts = new FactCache(10_000).of('1a')
      for (let at = 0; at < 100; at++) facts.set(`list ${at}`, list, 1_000)
      const kept = Array.from({ length: 100 }, (_, at) => facts.get(`list ${at}`) !== undefined)
      const count = kept.filter(Boolean).length
      assert.ok(count > 5 && count < 20, String(count))
      assert.ok(kept.at(-1))
    })

    test('what was not used for the longest time goes first', () => {
      const facts = new FactCache(10_000).of('1a')
      for (let at = 0; at < 100; at++) {
        facts.set(`list ${at}`, list, 1_000)
        assert.ok(facts.get('list 0') !== undefined)
      }
      assert.equal(facts.get('list 50'), undefined)
    })

    test('lists leave room for numbers', () => {
      const facts = new FactCache(10_000).of('1a')
      for (let at = 0; at < 10; at++) facts.set(`number ${at}`, at, 1_000)
      for (let at = 0; at < 100; at++) facts.set(`list ${at}`, list, 1_000)
      for (let at = 0; at < 10; at++) assert.equal(facts.get(`number ${at}`)?.value, at)
    })
  })

  test('words with numbers are what they were', () => {
    const entries = [
      ['чай', 7],
      ['red', 3],
      ['', 2],
    ] as const
    const words = new CountedWords(entries)
    assert.deepEqual([...words.map], entries)
    assert.equal(words.map, words.map)
    assert.equal(words.size, 3)
    assert.ok(words.equals(new CountedWords(entries)))
    assert.ok(!words.equals(new CountedWords(entries.slice(1))))
    assert.ok(
      !words.equals(
        new CountedWords([
          ['чай', 7],
          ['red', 4],
          ['', 2],
        ]),
      ),
    )
    assert.deepEqual([...new CountedWords().map], [])
    assert.deepEqual([...new CountedWords([['', 1]]).map], [['', 1]])
    assert.ok(!new CountedWords().equals(new CountedWords([['', 1]])))
  })
})

/** A cluster with this number of documents for each word. */
function changing(words: Record<'red' | 'blue' | 'green', number>) {
  /** What asking for the state takes. */
  const state = { took: 0 }
  /** Without requests for the state alone, which no search waits for. */
  const asked: object[][] = []
  const countOf = (query: object): number => {
    if ('bool' in query) {
      return (query.bool as { should: object[] }).should.reduce((sum, one) => sum + countOf(one), 0)
    }
    const { groups } = (query as { term?: { groups?: string } }).term ?? {}
    return groups === undefined ? 100 : words[groups.slice('1a/'.length) as 'red']
  }
  const request = async ({ lines }: { lines: object[] }): Promise<object> => {
    const bodies = lines.filter((_, at) => at % 2 === 1) as {
      readonly query: object
      readonly aggs?: {
        readonly each?: { readonly filters: { readonly filters: object[] } }
        readonly writes?: object
      }
    }[]
    if (bodies.some(({ aggs }) => aggs?.writes === undefined)) asked.push(bodies)
    return {
      responses: bodies.map(({ query, aggs }) => {
        const counts = (aggs?.each?.filters.filters ?? []).map(countOf)
        const buckets = counts.map((count) => ({ doc_count: count }))
        const writes = { count: 100, max: words.red + 100 * words.blue + 10_000 * words.green }
        return {
          took: aggs?.writes === undefined ? 0 : state.took,
          hits: { total: { value: countOf(query) } },
          aggregations: { each: { buckets }, writes },
        }
      }),
    }
  }
  return { connection: { request } as unknown as ClusterConnection, asked, words, state }
}
