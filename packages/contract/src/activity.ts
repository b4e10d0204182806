import type { Static } from 'typebox'
import { Optional, Type } from './type.ts'

export const SlowSearch = Type.Object(
  {
    at: Type.String({ format: 'date-time', description: 'When the response was sent.' }),
    store_id: Type.String(),
    kind: Type.Union([
      Type.Literal('search'),
      Type.Literal('multi_search'),
      Type.Literal('filters'),
    ]),
    took_ms: Type.Number(),
    found: Type.Integer(),
    cut_off: Type.Boolean({ description: 'The search timed out: `search_cutoff`.' }),
    q: Optional.String({
      description: 'The query, shortened. Only for owners and the admin token.',
    }),
  },
  { $id: 'SlowSearch' },
)
export type SlowSearch = Static<typeof SlowSearch>

export const Refusals = Type.Object(
  {
    reason: Type.String({ description: 'Error code of the responses.' }),
    status: Type.Integer(),
    store_id: Optional.String({ description: 'Absent if the request names no store.' }),
    count: Type.Integer({ description: 'Count since the service started.' }),
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
          '`analysis`: analyses documents in another language. `merge`: merges segments. `dictionary`: rebuilds the words for prefixes and typos. `index_files`: writes the index to disk. `suggestions`: rebuilds the suggestions.',
      },
    ),
    store_id: Optional.String(),
    state: Type.Union([Type.Literal('waiting'), Type.Literal('running')]),
    since: Optional.String({ format: 'date-time', description: 'When it was queued or started.' }),
    documents_done: Optional.Integer(),
    documents_total: Optional.Integer(),
  },
  { $id: 'BackgroundJob' },
)
export type BackgroundJob = Static<typeof BackgroundJob>

export const ThreadLoad = Type.Object(
  {
    name: Type.String({
      description: '`main` is the writer; `serve-0`, `serve-1` … answer requests.',
    }),
    busy: Type.Number({
      description:
        'Share of time the thread was busy, 0 to 1, since the previous request; on the first request, since startup.',
    }),
  },
  { $id: 'ThreadLoad' },
)
export type ThreadLoad = Static<typeof ThreadLoad>

/** The current work of the service, and which requests were slow or refused. */
export const ServiceActivity = Type.Object(
  {
    slow_search_min_ms: Type.Integer({
      description: 'Searches that take at least this long are slow.',
    }),
    slow_searches: Type.Array(SlowSearch, { description: 'Newest first.' }),
    refusals: Type.Array(Refusals, { description: 'By reason and store, latest first.' }),
    jobs: Type.Array(BackgroundJob),
    threads: Type.Array(ThreadLoad, { description: 'Empty for a `member`.' }),
  },
  { $id: 'ServiceActivity' },
)
export type ServiceActivity = Static<typeof ServiceActivity>
