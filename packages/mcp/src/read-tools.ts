import { brief } from './brief.ts'
import { flag, renamed, text, whole, type Tool } from './tool.ts'

const HITS_MAX = 20
const HITS_DEFAULT = 10
const EXAMPLE_VALUES = 5

const filter = text('Filter, e.g. `brand:=Acme && price:[10..50] && !sold_out:true`', 20_000)

/** Tools that need the read secret. */
export const READ_TOOLS: readonly Tool[] = [
  {
    name: 'describe_catalog',
    title: 'Describe the catalog',
    description:
      'The number of documents, the fields that can be filtered and counted with their most frequent values, and one document as an example.',
    input: {},
    run: async (store) => {
      const { found, facet_counts, hits } = await store.search({
        q: '*',
        per_page: 1,
        facet_by: '*',
        max_values: EXAMPLE_VALUES,
        highlight: false,
        analytics: false,
      })
      const [example] = hits
      return {
        documents: found,
        facets: facet_counts ?? [],
        ...(example === undefined
          ? {}
          : { example: { id: example.id, ...brief(example.document as Record<string, unknown>) } }),
      }
    },
  },
  {
    name: 'search_products',
    title: 'Search products',
    description:
      'Finds documents by words and tolerates typos. `found` is the exact number of all matches. Use `*` as the query to browse. A store with a language model also finds and ranks by meaning, so a question or a description works as a query; `found_by_meaning` says how many have none of its words.',
    input: {
      query: text('Words, or `*`; "a phrase" matches words in this order, -word excludes'),
      filter,
      sort: text('Order, e.g. `price:asc`; default: by relevance'),
      facets: text('Fields whose values are counted, separated by commas: `brand,color`'),
      fields: text('Fields to return, separated by commas; default: all'),
      interpret: flag(
        'Reads prices, colours, sizes, brands, categories and materials in the query as filters',
      ),
      by_meaning: flag(
        'Default: true, where the store has a language model. False: by words alone',
      ),
      page: whole('Page, from 1', 1, 1_000),
      per_page: whole(`Hits per page, ${HITS_DEFAULT} by default`, 0, HITS_MAX),
    },
    required: ['query'],
    run: async (store, { interpret, by_meaning: byMeaning, ...given }) => {
      const answer = await store.search({
        per_page: HITS_DEFAULT,
        highlight: false,
        analytics: false,
        ...(interpret === true ? { interpret: 'apply' } : {}),
        ...(byMeaning === false ? { semantic: 'off' } : {}),
        ...renamed(given, {
          query: 'q',
          filter: 'filter_by',
          sort: 'sort_by',
          facets: 'facet_by',
          fields: 'return_fields',
          page: 'page',
          per_page: 'per_page',
        }),
      } as Parameters<typeof store.search>[0])
      const { found, page, matched_terms, corrected_query, facet_counts, warnings } = answer
      const { interpretation, found_semantic: byMeaningOnly } = answer
      return {
        found,
        ...(byMeaningOnly === undefined ? {} : { found_by_meaning: byMeaningOnly }),
        page,
        matched_terms,
        ...(corrected_query === undefined ? {} : { corrected_query }),
        ...(interpretation === undefined ? {} : { interpretation }),
        hits: answer.hits.map(({ id, document }) => ({
          id,
          ...brief(document as Record<string, unknown>),
        })),
        ...(facet_counts === undefined ? {} : { facets: facet_counts }),
        ...(warnings === undefined ? {} : { warnings }),
      }
    },
  },
  {
    name: 'get_product',
    title: 'Get a product',
    description: 'One whole document.',
    input: { id: text('Its id', 512) },
    required: ['id'],
    run: async (store, { id }) => ({ ...(await store.document(String(id))) }),
  },
  {
    name: 'list_facet_values',
    title: 'List the values of a field',
    description:
      'Values of a facet field with their document counts, most frequent first, such as all brands or sizes.',
    input: {
      field: text('The field', 200),
      beginning: text('Only values with a word that starts with this'),
      query: text('Count among the documents of this search; `*` by default'),
      filter,
      limit: whole('Values, 20 by default', 1, 100),
    },
    required: ['field'],
    run: async (store, { field, beginning, query, filter: filterBy, limit }) => {
      const { facet_counts, found } = await store.search({
        q: typeof query === 'string' ? query : '*',
        per_page: 0,
        analytics: false,
        facet_by: String(field),
        max_values: typeof limit === 'number' ? limit : 20,
        ...(typeof filterBy === 'string' ? { filter_by: filterBy } : {}),
        ...(typeof beginning === 'string' ? { facet_query: `${String(field)}:${beginning}` } : {}),
      })
      return { documents: found, facets: facet_counts ?? [] }
    },
  },
  {
    name: 'suggest_queries',
    title: 'Suggest queries',
    description: 'Popular queries and words of the catalog that begin with this text.',
    input: { beginning: text('The text typed so far'), limit: whole('Suggestions', 1, 20) },
    required: ['beginning'],
    run: async (store, { beginning, limit }) => ({
      ...(await store.suggest({
        q: String(beginning),
        ...(typeof limit === 'number' ? { hitsPerPage: limit } : {}),
      })),
    }),
  },
]
