import {
  DOCUMENT_MAX_BYTES,
  EVENTS_PER_BATCH_MAX,
  RULE_PREVIEW_QUERIES_MAX,
  RULES_MAX,
  STOPWORDS_PER_SET_MAX,
  SYNONYM_ITEMS_MAX,
} from '@aisle/contract'
import { ask, type Attacker, type AttackRequest, type HeavyAttack } from './attack-request.ts'
import { attackerDocument } from './attacker-store.ts'
import { heavySearches, WORDS_OF_QUERY } from './heavy-searches.ts'

/** How much of the worst: 1, or a part of it for a run of seconds. */
export type Scale = number

const SWAPPED = ['attacker-one', 'attacker-two']

export function heavyAttacks(attacker: Attacker, scale: Scale): HeavyAttack[] {
  return [
    ...heavySearches(attacker),
    ...resources(attacker, scale),
    ...documents(attacker, scale),
    ...stores(attacker),
    ...eventsAndReports(attacker),
    ...pages(attacker),
  ]
}

function resources(attacker: Attacker, scale: Scale): HeavyAttack[] {
  const base = `/api/v1/stores/${attacker.storeId}`
  const rulesCount = Math.ceil(RULES_MAX * scale)
  const rule = (i: number, turn = 0): object => ({
    when: [{ query: `word${i} offer`, match: 'contains' }],
    boost: [{ filter_by: `brand:="Brand ${i % 500}"`, weight: 2 + turn }],
    pin: [{ id: `d${i % 100}`, position: 1 }],
    description: `Rule ${i} `.repeat(20),
  })
  const putRule = (i: number, turn?: number): AttackRequest =>
    ask(attacker, 'PUT', `${base}/rules/rule-${i}`, rule(i, turn))
  const synonyms = (turn: number): object => ({
    default: true,
    items: Array.from({ length: Math.ceil(SYNONYM_ITEMS_MAX * scale) }, (_, i) => ({
      synonyms: [`word${i} ${turn}`, ...Array.from({ length: 4 }, (__, k) => `like ${i} ${k}`)],
    })),
  })
  const search = (q: string): AttackRequest => ask(attacker, 'POST', '/v1/search', { q })
  const allRules = Array.from({ length: rulesCount }, (_, i) => putRule(i))
  const someRules = Array.from({ length: 50 }, (_, i) => putRule(i, i + 1))
  const withSearches = (changes: readonly AttackRequest[]): AttackRequest[] =>
    changes.flatMap((change, i) => [change, search(`word${i} offer`)])
  return [
    { name: 'rules saved at once', requests: allRules, connections: 16 },
    {
      name: 'many rules in one request',
      requests: [1, 2, 3].map((turn) =>
        ask(attacker, 'PATCH', `${base}/rules`, {
          put: Array.from({ length: rulesCount }, (_, i) => ({
            id: `rule-${i}`,
            ...rule(i, turn),
          })),
        }),
      ),
    },
    { name: 'changes of many rules', setUp: allRules, requests: withSearches(someRules) },
    {
      name: 'searches with many rules',
      requests: Array.from({ length: 20 }, (_, i) => search(`${WORDS_OF_QUERY} word${i} offer`)),
    },
    {
      name: 'rule previews',
      requests: Array.from({ length: 4 }, (_, i) =>
        ask(attacker, 'POST', `${base}/rules/preview`, {
          rule: rule(i, 5),
          search: { q: 'word1 offer' },
          queries: Array.from({ length: RULE_PREVIEW_QUERIES_MAX }, (__, k) => `word${k} offer`),
        }),
      ),
    },
    { name: 'lists of rules', requests: [ask(attacker, 'GET', `${base}/rules`)] },
    {
      name: 'synonyms',
      requests: withSearches(
        Array.from({ length: 4 }, (_, i) =>
          ask(attacker, 'PUT', `${base}/synonym-sets/many`, synonyms(i)),
        ),
      ),
      tidyUp: [ask(attacker, 'DELETE', `${base}/synonym-sets/many`)],
    },
    {
      name: 'stop words',
      requests: withSearches(
        Array.from({ length: 4 }, (_, turn) =>
          ask(attacker, 'PUT', `${base}/stopword-sets/many`, {
            default: true,
            stopwords: Array.from({ length: STOPWORDS_PER_SET_MAX }, (__, i) => `the${i} ${turn}`),
          }),
        ),
      ),
      tidyUp: [ask(attacker, 'DELETE', `${base}/stopword-sets/many`)],
    },
    {
      name: 'presets',
      requests: Array.from({ length: Math.ceil(1_000 * scale) }, (_, i) =>
        ask(attacker, 'PUT', `${base}/presets/preset-${i}`, {
          value: {
            filter_by: `brand:=[${Array.from({ length: 300 }, (__, k) => `B${k}`).join()}]`,
          },
        }),
      ),
    },
    {
      name: 'ranking settings',
      requests: withSearches(
        Array.from({ length: 8 }, (_, i) =>
          ask(attacker, 'PATCH', `${base}/settings`, {
            ranking: { field_weights: { title: i + 2, text: 1 }, popularity_weight: i / 10 },
          }),
        ),
      ),
    },
    {
      name: 'languages',
      requests: Array.from({ length: 2 }, (_, i) =>
        ask(attacker, 'PATCH', `${base}/settings`, { language: ['de', 'en'][i] }),
      ),
      tidyUp: [ask(attacker, 'PATCH', `${base}/settings`, { language: 'en' })],
    },
    {
      name: 'suggestion settings',
      requests: Array.from({ length: 2 }, (_, turn) =>
        ask(attacker, 'PUT', `${base}/suggestions/config`, {
          blocklist: Array.from({ length: 10_000 }, (__, i) => `blocked ${i} ${turn}`),
          pinned: Array.from({ length: 1_000 }, (__, i) => ({ query: `pin ${i}`, popularity: i })),
        }),
      ),
    },
    {
      name: 'comparisons of drafts',
      requests: Array.from({ length: 4 }, (_, i) =>
        ask(attacker, 'POST', `${base}/relevance/compare`, {
          draft: { ranking: { popularity_weight: i / 10 } },
          searches: Array.from({ length: 10 }, (__, k) => ({ q: `word${k} word${i}` })),
        }),
      ),
    },
  ]
}

function documents(attacker: Attacker, scale: Scale): HeavyAttack[] {
  const base = `/api/v1/stores/${attacker.storeId}`
  const bulk = (count: number, first: number): AttackRequest =>
    ask(
      attacker,
      'POST',
      `${base}/documents/bulk`,
      `{"documents":[${Array.from({ length: count }, (_, i) => attackerDocument(first + i)).join()}]}`,
    )
  const long = 'long word '.repeat(Math.floor((DOCUMENT_MAX_BYTES * 0.9) / 10))
  const wide = Object.fromEntries(Array.from({ length: 240 }, (_, i) => [`w${i}`, `value ${i}`]))
  return [
    {
      name: 'bulks',
      requests: Array.from({ length: 4 }, (_, i) => bulk(Math.ceil(5_000 * scale), i * 500)),
    },
    {
      name: 'bulks that fail',
      requests: [
        ask(
          attacker,
          'POST',
          `${base}/documents/bulk`,
          `{"documents":[${Array.from({ length: Math.ceil(20_000 * scale) }, (_, i) => `{"id":"x${i}","data":{"price":"dear"}}`).join()}]}`,
        ),
      ],
    },
    {
      name: 'documents of a megabyte',
      requests: Array.from({ length: 4 }, (_, i) =>
        ask(attacker, 'POST', `${base}/documents`, {
          id: `long${i}`,
          data: { title: 'Long', text: long, specs: wide },
        }),
      ),
      tidyUp: Array.from({ length: 4 }, (_, i) =>
        ask(attacker, 'DELETE', `${base}/documents/long${i}`),
      ),
    },
    {
      name: 'single documents',
      connections: 32,
      requests: Array.from({ length: 500 }, (_, i) =>
        ask(attacker, 'POST', `${base}/documents`, {
          id: `d${i}`,
          data: dataOf(i),
        }),
      ),
    },
    {
      name: 'updates by filter',
      connections: 2,
      requests: Array.from({ length: 4 }, (_, i) =>
        ask(attacker, 'PATCH', `${base}/documents?filter_by=${encodeURIComponent('stock:>=0')}`, {
          set: { stock: i },
        }),
      ),
    },
    {
      name: 'exports',
      requests: [
        ask(attacker, 'GET', `${base}/documents`),
        ask(attacker, 'GET', `${base}/documents?filter_by=${encodeURIComponent('price:>100')}`),
      ],
    },
    {
      name: 'schemas changed with documents',
      connections: 1,
      requests: Array.from({ length: 2 }, (_, i) =>
        ask(attacker, 'POST', `${base}/schema`, {
          mode: 'change',
          fields: [{ name: 'brand', type: 'string', searchable: i === 1, facet: true }],
        }),
      ),
    },
    {
      name: 'schemas of many fields',
      connections: 2,
      requests: Array.from({ length: 20 }, (_, i) =>
        ask(attacker, 'POST', `${base}/schema`, {
          fields: Array.from({ length: 20 }, (__, k) => ({
            name: `extra${i}_${k}`,
            type: 'string',
            searchable: true,
            facet: true,
          })),
        }),
      ),
    },
  ]
}

function stores(attacker: Attacker): HeavyAttack[] {
  const admin = '/api/v1/admin'
  return [
    {
      name: 'swaps',
      setUp: SWAPPED.map((id) => ask(attacker, 'POST', `${admin}/stores`, { name: id, id })),
      requests: [ask(attacker, 'POST', `${admin}/stores/${SWAPPED.join('/swap/')}`)],
      tidyUp: SWAPPED.map((id) => ask(attacker, 'DELETE', `${admin}/stores/${id}`)),
    },
    {
      name: 'new stores',
      requests: Array.from({ length: 40 }, (_, i) => [
        ask(attacker, 'POST', `${admin}/stores`, { name: 'New', id: `attacker-new-${i}` }),
        ask(attacker, 'DELETE', `${admin}/stores/attacker-new-${i}`),
      ]).flat(),
    },
    {
      name: 'lists of stores',
      requests: [
        ask(attacker, 'GET', `${admin}/stores`),
        ask(attacker, 'GET', `${admin}/activity`),
        ask(attacker, 'GET', `${admin}/metrics`),
      ],
    },
    { name: 'snapshots', connections: 1, requests: [ask(attacker, 'POST', `${admin}/snapshots`)] },
    {
      name: 'new keys',
      requests: [
        ask(attacker, 'POST', `${admin}/stores/${attacker.storeId}/keys/events/rotate`, {
          grace_seconds: 0,
        }),
      ],
    },
    {
      name: 'reads of the audit log',
      requests: ['limit=500', 'limit=500&target=nothing', 'limit=500&result=refused'].map((query) =>
        ask(attacker, 'GET', `${admin}/audit?${query}`),
      ),
    },
    {
      name: 'logins',
      requests: Array.from({ length: 100 }, (_, i) =>
        ask(attacker, 'POST', `${admin}/session`, { login: `guess${i}`, password: `secret ${i}` }),
      ),
    },
  ]
}

function eventsAndReports(attacker: Attacker): HeavyAttack[] {
  const base = `/api/v1/stores/${attacker.storeId}`
  const batch = (turn: number): AttackRequest =>
    ask(attacker, 'POST', '/v1/b', {
      writeKey: attacker.eventsWriteKey,
      sentAt: new Date().toISOString(),
      batch: Array.from({ length: EVENTS_PER_BATCH_MAX }, (_, i) => ({
        type: 'track',
        event: 'Search Submitted',
        timestamp: new Date().toISOString(),
        messageId: `m ${turn} ${i}`,
        anonymousId: `visitor ${turn} ${i}`,
        properties: { query: `wish ${turn} ${i}`, search_id: `s ${turn} ${i}`, num_found: 3 },
      })),
    })
  const reports = [
    'top-queries?limit=10000',
    'no-results?limit=10000',
    'reformulations?limit=10000',
    'judgments?limit=10000',
    'filters',
    'latency',
  ]
  return [
    {
      name: 'live tails',
      endless: true,
      connections: 64,
      requests: [ask(attacker, 'GET', `${base}/analytics/events/tail`)],
    },
    { name: 'events', requests: Array.from({ length: 300 }, (_, i) => batch(i)) },
    {
      name: 'checks of events',
      requests: [ask(attacker, 'POST', `${base}/analytics/events/check`, batch(0).body)],
    },
    {
      name: 'reports',
      requests: reports.map((name) => ask(attacker, 'GET', `${base}/analytics/${name}`)),
    },
    {
      name: 'reports rebuilt',
      connections: 1,
      requests: [ask(attacker, 'POST', `${base}/analytics/rebuild`)],
    },
    {
      name: 'synonyms from searches',
      requests: [ask(attacker, 'GET', `${base}/synonym-suggestions?days=365&limit=200`)],
    },
    {
      name: 'suggestions',
      requests: ['w', 'wi', 'wish 1', 'x'].map((q) =>
        ask(attacker, 'POST', '/v1/suggestions/queries', {
          q,
          hitsPerPage: 100,
          include_categories: true,
          include_facets: true,
          include_dropdown_recommendations: true,
          max_categories: 20,
          max_facets: 20,
        }),
      ),
    },
  ]
}

function pages(attacker: Attacker): HeavyAttack[] {
  const paths = ['/', '/docs/', '/docs/search?q=filter', '/openapi.json', '/nothing', '/livez']
  return [
    {
      name: 'pages',
      requests: paths.map((path) => ({ ...ask(attacker, 'GET', path), headers: {} })),
      connections: 100,
    },
    {
      name: 'wrong secrets',
      requests: Array.from({ length: 100 }, (_, i) => ({
        method: 'POST',
        path: '/v1/search',
        headers: {
          'x-storeid': attacker.storeId,
          'x-storesecret': `wrong ${i}`,
          'content-type': 'application/json',
        },
        body: '{"q":"*"}',
      })),
      connections: 32,
    },
  ]
}

function dataOf(i: number): object {
  const { id: _, ...data } = JSON.parse(attackerDocument(i)) as { id: string }
  return data
}
