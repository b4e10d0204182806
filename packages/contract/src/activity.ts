import type { Static } from 'typebox'
import { Type } from './type.ts'

export const SlowSearch = Type.Object(
  {
    at: Type.String({ format: 'date-time', description: 'When it was answered.' }),
    store_id: Type.String(),
    kind: Type.Union([
      Type.Literal('search'),
      Type.Literal('multi_search'),
      Type.Literal('filters'),
    ]),
    took_ms: Type.Number(),
    found: Type.Integer(),
    cut_off: Type.Boolean({ description: 'Its time was up: `search_cutoff`.' }),
    q: Type.Optional(
      Type.String({ description: 'The query, shortened. Only for owners and the admin token.' }),
    ),
  },
  { $id: 'SlowSearch' },
)
export type SlowSearch = Static<typeof SlowSearch>

export const Refusals = Type.Object(
  {
    reason: Type.String({ description: 'Error code of the responses.' }),
    status: Type.Integer(),
    store_id: Type.Optional(Type.String({ description: 'Absent if the request named no store.' })),
    count: Type.Integer({ description: 'Since the service started.' }),
    last_at: Type.String({ format: 'date-time' }),
  },
  { $id: 'Refusals', description: 'Requests refused with 429, 503 or 507.' },
)
export type Refusals = Static<typeof Refusals>

export const BackgroundJob = Type.Object(
  {
    kind: Type.Union(
      [
        Type.Literal('analysis'),
        Type.Literal('merge'),
        Type.Literal('dictionary'),
        Type.Literal('index_files'),
        Type.Literal('snapshot'),
        Type.Literal('suggestions'),
      ],
      {
        description:
          '`analysis`: products are analysed in another language. `merge`: segments become one. `dictionary`: the words for prefixes and typos. `index_files`: the index is written to disk. `suggestions`: they are rebuilt.',
      },
    ),
    store_id: Type.Optional(Type.String()),
    state: Type.Union([Type.Literal('waiting'), Type.Literal('running')]),
    since: Type.Optional(
      Type.String({ format: 'date-time', description: 'When it began to wait, or to run.' }),
    ),
    documents_done: Type.Optional(Type.Integer()),
    documents_total: Type.Optional(Type.Integer()),
  },
  { $id: 'BackgroundJob' },
)
export type BackgroundJob = Static<typeof BackgroundJob>

export const ThreadLoad = Type.Object(
  {
    name: Type.String({ description: '`main` is the writer, `serve-0` … answer requests.' }),
    busy: Type.Number({
      description:
        'Share of the time, from 0 to 1, since this was last asked; at first since the start.',
    }),
  },
  { $id: 'ThreadLoad' },
)
export type ThreadLoad = Static<typeof ThreadLoad>

/** What the service is doing, and what it had trouble with. */
export const ServiceActivity = Type.Object(
  {
    slow_search_min_ms: Type.Integer({ description: 'A search that takes as long is slow.' }),
    slow_searches: Type.Array(SlowSearch, { description: 'The last ones, the newest first.' }),
    refusals: Type.Array(Refusals, { description: 'By reason and store, the latest first.' }),
    jobs: Type.Array(BackgroundJob),
    threads: Type.Array(ThreadLoad),
  },
  { $id: 'ServiceActivity' },
)
export type ServiceActivity = Static<typeof ServiceActivity>
