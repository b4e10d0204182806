import {
  FACET_VALUES_MAX,
  PER_PAGE_MAX,
  POLYGON_CORNERS_MAX,
  QUERIES_PER_MULTI_SEARCH_MAX,
} from '@aisle/contract'
import { ask, type Attacker, type AttackRequest, type HeavyAttack } from './attack-request.ts'
import { FACETS } from './attacker-store.ts'

/** As many words as a query may have. */
export const WORDS_OF_QUERY = Array.from(
  { length: 31 },
  (_, i) => `word${(i * 7_919) % 4_001}`,
).join(' ')

/** Searches that do much for each document. */
export function heavySearches(attacker: Attacker): HeavyAttack[] {
  const search = (parameters: object, i = 0): AttackRequest =>
    ask(attacker, 'POST', '/v1/search', {
      q: '*',
      cache_results: false,
      ...parameters,
      page: i + 1,
    })
  const several = (parameters: (i: number) => object): AttackRequest[] =>
    Array.from({ length: 8 }, (_, i) => search(parameters(i)))
  const corners = Array.from({ length: POLYGON_CORNERS_MAX }, (_, i) => {
    const angle = (i / POLYGON_CORNERS_MAX) * 2 * Math.PI
    const radius = i % 2 === 0 ? 2 : 1
    return `${(47 + radius * Math.sin(angle)).toFixed(3)},${(8 + radius * Math.cos(angle)).toFixed(3)}`
  }).join(',')
  return [
    {
      name: 'polygons',
      requests: several((i) => ({
        filter_by: `shops:(${corners})`,
        q: i % 2 === 0 ? '*' : 'word1',
      })),
    },
    {
      name: 'distances',
      requests: several((i) => ({ sort_by: `shops(${45 + i / 10}, 7):asc` })),
    },
    {
      name: 'nested filters',
      requests: several((i) => ({
        filter_by: Array.from(
          { length: 30 },
          (_, k) => `variants.{color:="color ${k}" && size:="size ${(k + i) % 13}" && price:>${k}}`,
        ).join(' || '),
      })),
    },
    {
      name: 'facets of pattern fields',
      requests: several(() => ({ facet_by: 'specs.*', max_values: FACET_VALUES_MAX })),
    },
    {
      name: 'facets of unique values',
      requests: several(() => ({ facet_by: ['unique', ...FACETS], max_values: FACET_VALUES_MAX })),
    },
    {
      name: 'groups of unique values',
      requests: several((i) => ({
        group_by: ['unique'],
        group_limit: 99,
        per_page: PER_PAGE_MAX,
        facet_by: 'brand',
        facet_count: 'groups',
        q: i % 2 === 0 ? '*' : 'word1 word2',
        require_all_terms: false,
      })),
    },
    {
      name: 'deep pages',
      requests: Array.from({ length: 8 }, (_, i) =>
        search(
          { per_page: PER_PAGE_MAX, q: WORDS_OF_QUERY, require_all_terms: false },
          i * 20 + 40,
        ),
      ),
    },
    {
      name: 'long queries with infixes',
      requests: several((i) => ({
        q: `${WORDS_OF_QUERY} x${i}`,
        infix_mode: 'always',
        typo_min_len_1: 1,
        typo_min_len_2: 1,
        require_all_terms: false,
      })),
    },
    {
      name: 'tests as sort keys',
      requests: several((i) => ({
        sort_by: Array.from({ length: 7 }, (_, k) => `_eval(f${k}:value ${i} || text:word1):desc`),
      })),
    },
    {
      name: 'snippets of everything',
      requests: several(() => ({
        q: WORDS_OF_QUERY,
        require_all_terms: false,
        per_page: PER_PAGE_MAX,
        include_snippets: true,
        snippet_fields: ['text', 'unique', 'title'],
        snippet_token_limit: 1_000,
        explain: true,
      })),
    },
    {
      name: 'multi-searches',
      requests: Array.from({ length: 4 }, (_, i) =>
        ask(attacker, 'POST', '/v1/multi-search', {
          searches: Array.from({ length: QUERIES_PER_MULTI_SEARCH_MAX }, (__, k) => ({
            q: `word${i} word${k}`,
            per_page: PER_PAGE_MAX,
            facet_by: FACETS,
            require_all_terms: false,
          })),
        }),
      ),
    },
    {
      name: 'related products',
      requests: Array.from({ length: 16 }, (_, i) =>
        ask(attacker, 'POST', '/v1/recommendations', {
          kind: 'related',
          ids: Array.from({ length: 10 }, (__, k) => `d${i * 10 + k}`),
          per_page: 50,
        }),
      ),
    },
    {
      name: 'tools for assistants',
      requests: Array.from({ length: 4 }, (_, i) => {
        const request = ask(attacker, 'POST', '/mcp', {
          jsonrpc: '2.0',
          id: i,
          method: 'tools/call',
          params: { name: 'search', arguments: { q: WORDS_OF_QUERY, per_page: 50 } },
        })
        const accept = 'application/json, text/event-stream'
        return { ...request, headers: { ...request.headers, accept } }
      }),
    },
  ]
}
