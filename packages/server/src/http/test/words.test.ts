import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createTestApp } from './test-app.ts'

/** What words find, from a visitor's point of view. */
const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())

let storeCount = 0

/** A store of these titles; ids count from 1. */
async function shopOf(titles: readonly string[]) {
  const id = `words-${++storeCount}`
  const { read, write } = await testApp.createStore(id)
  const url = `/api/v1/stores/${id}`
  const fields = [{ name: 'title', type: 'string', searchable: true }]
  await testApp.call({ method: 'POST', url: `${url}/schema`, headers: write, body: { fields } })
  const documents = titles.map((title, i) => ({ id: String(i + 1), title }))
  await testApp.call({
    method: 'POST',
    url: `${url}/documents/bulk`,
    headers: write,
    body: { documents },
  })
  const search = async (q: string, parameters: object = {}) => {
    const body = { q, per_page: 100, ...parameters }
    const answer = await testApp.call({ method: 'POST', url: '/v1/search', headers: read, body })
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json()
  }
  const titlesFor = async (q: string, parameters?: object): Promise<string[]> => {
    const { hits } = await search(q, parameters)
    return hits.map(({ document }: { document: { title: string } }) => document.title)
  }
  return { url, read, write, search, titlesFor }
}

function times(count: number, title: string): string[] {
  return new Array<string>(count).fill(title)
}

suite('a joined spelling with the stem of one of its words is none', async () => {
  const shop = await shopOf([
    'red chair', // chairred: chair
    'chair',
    'red car', // carred: car
    'car',
    'galaxy phone s', // galaxys: galaxi
    'galaxy',
    'red iphone', // iphonered: iphon
    'iphone',
  ])
  const cases = [
    ['chair red', 'red chair', 'chair'],
    ['car red', 'red car', 'car'],
    ['galaxy s', 'galaxy phone s', 'galaxy'],
    ['iphone red', 'red iphone', 'iphone'],
    ['chair-red', 'red chair', 'chair'],
  ] as const
  for (const [q, both, one] of cases) {
    test(`${q}: both words are asked for`, async () => {
      const found = await shop.titlesFor(q)
      assert.equal(found[0], both)
      assert.ok(found.includes(one))
      assert.deepEqual(await shop.titlesFor(q, { require_all_terms: true }), [both])
    })
  }

  test('it excludes nothing', async () => {
    assert.deepEqual(await shop.titlesFor('phone -chair-red'), ['galaxy phone s'])
    assert.ok((await shop.titlesFor('chair -chair-red')).includes('chair'))
  })
})

suite('a word that the catalog knows may be misspelt', async () => {
  const shop = await shopOf([
    'Addidas shoe with a long title that says it late',
    ...times(12, 'Adidas'),
    'Adidas shoe',
    'Carry',
    ...times(12, 'Harry'),
    'prom dress',
    ...times(30, 'letter from home'),
    'lamb',
    ...times(9, 'lamp'),
    'tent blue',
    ...times(11, 'tint'),
    ...times(11, 'tent'),
  ])

  test('the frequent neighbour is found behind it, and named', async () => {
    const answer = await shop.search('addidas')
    assert.equal(answer.found, 14)
    assert.match(answer.hits[0].document.title, /Addidas/)
    assert.equal(answer.did_you_mean, 'adidas')
    assert.equal('corrected_query' in answer, false)
    assert.match(answer.hits[1].highlight.title, /<mark>Adidas/)
    const both = await shop.search('addidas shoe')
    assert.deepEqual(
      both.hits.slice(0, 2).map(({ id }: { id: string }) => id),
      ['1', '14'],
    )
  })

  test('two misspelt products do not hide the others in a small catalog', async () => {
    const two = await shopOf(['hleslu', 'hleslu', ...times(25, 'heslu')])
    const answer = await two.search('hleslu')
    assert.deepEqual([answer.found, answer.did_you_mean], [27, 'heslu'])
    assert.deepEqual((await two.titlesFor('hleslu')).slice(0, 2), ['hleslu', 'hleslu'])
  })

  test('a separate word ranks first, whatever its neighbour', async () => {
    const answer = await shop.search('carry')
    assert.equal(answer.hits[0].document.title, 'Carry')
    assert.equal(answer.did_you_mean, 'harry')
    assert.equal((await shop.search('Harry')).did_you_mean, undefined)
  })

  test('little words, words hardly more frequent and words that find less are not meant', async () => {
    assert.deepEqual(await shop.titlesFor('prom'), ['prom dress'])
    assert.deepEqual(await shop.titlesFor('lamb'), ['lamb'])
    for (const q of ['prom', 'lamb', 'tent blue', 'addidas', '"addidas"']) {
      const answer = await shop.search(q, { typo_max: q === 'addidas' ? 0 : 2 })
      assert.equal(answer.did_you_mean, undefined, q)
    }
  })

  test('unknown words of the query are corrected beside it', async () => {
    const answer = await shop.search('addidas sheo')
    assert.equal(answer.corrected_query, 'addidas shoe')
    // Each spelling is in one document, so neither finds more.
    assert.equal(answer.did_you_mean, undefined)
  })

  test('the explanation says why it ranks lower', async () => {
    const { hits } = await shop.search('addidas', { explain: true })
    const { tier, words } = hits[1].explanation
    assert.equal(tier, 0)
    assert.deepEqual([words[0].alternatives[0].variant, words[0].quality], ['neighbour', 0.15])
  })
})

suite('a word that the catalog lacks', async () => {
  const shop = await shopOf([
    ...times(12, 'Touch lamp'),
    ...times(4, 'Wool sweaters'),
    'Camping lantern',
    'Kids chair',
  ])

  test('finds nothing that it is not a misspelling of, and is asked about', async () => {
    const answer = await shop.search('torch')
    assert.equal(answer.found, 0)
    assert.equal(answer.did_you_mean, 'touch')
    assert.equal('corrected_query' in answer, false)
    const suggested = await shop.search('torch', { include_suggestions: true })
    assert.deepEqual(suggested.suggestions, [])
  })

  test('is not asked about where that would be silly', async () => {
    const answer = await shop.search('sneakers')
    assert.deepEqual([answer.found, answer.did_you_mean], [0, undefined])
  })

  test('is left out beside others, and asked about where that finds something', async () => {
    const lamp = await shop.search('torch lamp', { require_all_terms: false })
    assert.deepEqual([lamp.found, lamp.did_you_mean], [12, 'touch lamp'])
    const kids = await shop.search('kids torch', { require_all_terms: false })
    assert.deepEqual([kids.found, kids.did_you_mean], [1, undefined])
    const none = await shop.search('torch', { filter_by: 'id:=999' })
    assert.equal(none.did_you_mean, undefined)
  })

  test('is a misspelling when the mistake is a likely one', async () => {
    const touch = await shop.search('tuoch')
    assert.deepEqual([touch.found, touch.corrected_query], [12, 'touch'])
    const { hits } = await shop.search('lantren', { explain: true })
    const [alternative] = hits[0].explanation.words[0].alternatives
    assert.deepEqual([alternative.variant, alternative.typo_cost], ['typo', 0.9])
    const exact = await shop.search('lantern', { explain: true })
    assert.equal('typo_cost' in exact.hits[0].explanation.words[0].alternatives[0], false)
  })
})

test('of two equal titles the one with the word earlier comes first', async () => {
  const shop = await shopOf(['Lamp desk', 'Desk lamp', 'Old green lamp', 'Lamp, old, green'])
  assert.deepEqual(await shop.titlesFor('lamp'), [
    'Lamp desk',
    'Desk lamp',
    'Lamp, old, green',
    'Old green lamp',
  ])
})

suite('words that are written apart at the wrong place', () => {
  const cases: readonly (readonly [string[], string, string[], string | undefined])[] = [
    [['Sunflower seeds', 'sun hat'], 'sun flawer', ['Sunflower seeds', 'sun hat'], 'sunflower'],
    [['Sunflower seeds', 'sun hat'], 'sunf lower', ['Sunflower seeds'], undefined],
    [
      ['Sun flower seeds', 'lower shelf'],
      'sunf lower seeds',
      ['Sun flower seeds', 'lower shelf'],
      'sun flower seeds',
    ],
    // An existing joined spelling prevents neither corrections ...
    [
      ['sunflawer', 'Sun flower', 'flower pot'],
      'sun flawer',
      ['sunflawer', 'Sun flower', 'flower pot'],
      undefined,
    ],
    [['sunflawer', ...times(10, 'sunflower')], 'sun flawer', ['sunflawer', 'sunflower'], undefined],
    // ... nor splits.
    [
      ['Sunflower oil', 'Sun flower oil'],
      'sunf lower',
      ['Sunflower oil', 'Sun flower oil'],
      undefined,
    ],
    [['Sunflower'], '"sun flawer"', [], undefined],
  ]
  for (const [titles, q, found, corrected] of cases) {
    test(`${q} in ${titles.slice(0, 3).join(', ')}`, async () => {
      const shop = await shopOf(titles)
      const answer = await shop.search(q)
      assert.deepEqual([...new Set(await shop.titlesFor(q))], found)
      assert.equal(answer.corrected_query, corrected)
    })
  }

  test('typo_max 0 corrects none of them', async () => {
    const shop = await shopOf(['Sunflower'])
    assert.deepEqual(await shop.titlesFor('sun flawer', { typo_max: 0 }), [])
  })
})

suite('a misspelt word reaches synonyms', async () => {
  const shop = await shopOf(['Blue pants', 'Blue trousers', 'Blue hat', 'Television'])
  const put = async (name: string, synonyms: readonly string[]) => {
    const url = `${shop.url}/synonym-sets/${name}`
    const body = { items: [{ synonyms }], default: true }
    const answer = await testApp.call({ method: 'PUT', url, headers: shop.write, body })
    assert.ok(answer.statusCode < 300, answer.body)
  }
  await put('clothes', ['pants', 'trousers', 'slacks'])
  await put('sets', ['telly', 'television'])

  test('patns finds pants, then trousers', async () => {
    assert.deepEqual(await shop.titlesFor('patns'), ['Blue pants', 'Blue trousers'])
    const answer = await shop.search('patns')
    assert.equal(answer.corrected_query, 'pants')
    assert.equal(answer.hits[1].highlight.title, 'Blue <mark>trousers</mark>')
  })

  test('words that only a set knows can be meant', async () => {
    for (const [q, corrected, title] of [
      ['slakcs', 'slacks', 'Blue trousers'],
      ['tellly', 'telly', 'Television'],
    ] as const) {
      const answer = await shop.search(q)
      assert.equal(answer.corrected_query, corrected)
      assert.ok((await shop.titlesFor(q)).includes(title), q)
    }
    assert.deepEqual(await shop.titlesFor('tellly', { typo_max: 0 }), [])
    assert.deepEqual(await shop.titlesFor('tellly', { synonym_sets: [] }), [])
  })

  test('a misspelt plural, and an unfinished word with a mistake', async () => {
    for (const q of ['trosuer', 'trousrs', 'trosue']) {
      assert.deepEqual(await shop.titlesFor(q), ['Blue trousers', 'Blue pants'], q)
    }
  })

  test('the explanation names the synonym', async () => {
    const { hits } = await shop.search('tellly', { explain: true })
    const [alternative] = hits[0].explanation.words[0].alternatives
    assert.deepEqual([alternative.variant, alternative.quality], ['synonym', 0.442])
  })
})

suite('synonyms while typing', async () => {
  const shop = await shopOf(['Grey sofa', 'Grey couch', 'Grey chair', 'Torchwood', 'Flashlight'])
  const put = async (name: string, items: readonly object[]) => {
    const url = `${shop.url}/synonym-sets/${name}`
    const body = { items, default: true }
    const answer = await testApp.call({ method: 'PUT', url, headers: shop.write, body })
    assert.ok(answer.statusCode < 300, answer.body)
  }
  await put('seats', [{ synonyms: ['sofa', 'couch', 'settee'] }])
  await put('lamps', [{ root: 'torch', synonyms: ['flashlight'] }])

  for (const [q, titles] of [
    ['so', ['Grey sofa']],
    ['sof', ['Grey sofa', 'Grey couch']],
    ['sofa', ['Grey sofa', 'Grey couch']],
    ['grey sof', ['Grey sofa', 'Grey couch', 'Grey chair']],
    ['cou', ['Grey couch', 'Grey sofa']],
    // The catalog has no settee: the set alone knows the word.
    ['sett', ['Grey couch', 'Grey sofa']],
    // One way only.
    ['tor', ['Torchwood', 'Flashlight']],
    ['flash', ['Flashlight']],
  ] as const) {
    test(`${q} finds ${titles.join(', ')}`, async () => {
      assert.deepEqual(await shop.titlesFor(q), titles)
    })
  }

  test('a word that is not the last, or is complete, begins nothing', async () => {
    assert.deepEqual(await shop.titlesFor('sof', { prefix_mode: 'off', typo_max: 0 }), [])
    assert.deepEqual(await shop.titlesFor('sof', { synonym_sets: [] }), ['Grey sofa'])
  })

  test('the synonym is marked, explained, and no correction', async () => {
    const answer = await shop.search('sof', { explain: true })
    assert.equal(answer.corrected_query, undefined)
    assert.equal(answer.hits[1].highlight.title, 'Grey <mark>couch</mark>')
    const [alternative] = answer.hits[1].explanation.words[0].alternatives
    assert.deepEqual([alternative.variant, alternative.quality], ['synonym', 0.595])
  })
})
