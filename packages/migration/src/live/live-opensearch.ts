import { listOf, objectOf, textOf } from '../json.ts'
import { ForeignApi } from './foreign-api.ts'
import type { LiveSource, SourceAddress } from './live-source.ts'

const PAGE_DOCUMENTS = 1_000
const KEEP_SCROLL = '2m'

/**
 * OpenSearch and Elasticsearch: both support scrolls.
 * https://docs.opensearch.org/latest/api-reference/
 */
export function liveOpenSearch(address: SourceAddress): LiveSource {
  const api = new ForeignApi(address, authorization(address.key))
  const path = encodeURIComponent(address.name)
  return {
    parts: async () => ({ index: await api.settings(path) }),
    async *documents() {
      let answer = objectOf(
        await api.json(`${path}/_search?scroll=${KEEP_SCROLL}`, {
          body: { size: PAGE_DOCUMENTS, sort: ['_doc'], query: { match_all: {} } },
        }),
      )
      const scroll = (): string | undefined => textOf(answer['_scroll_id'])
      try {
        for (;;) {
          const hits = listOf(objectOf(answer['hits'])['hits'])
          for (const hit of hits) {
            const { _id, _source } = objectOf(hit)
            yield JSON.stringify({ _id, _source })
          }
          if (hits.length < PAGE_DOCUMENTS || scroll() === undefined) return
          const body = { scroll: KEEP_SCROLL, scroll_id: scroll() }
          answer = objectOf(await api.json('_search/scroll', { body }))
        }
      } finally {
        const id = scroll()
        // It would expire anyway.
        if (id !== undefined) {
          await api
            .settings('_search/scroll', { method: 'DELETE', body: { scroll_id: id } })
            .catch(() => undefined)
        }
      }
    },
  }
}

/** `user:password`, or an API key of Elasticsearch. */
function authorization(key: string | undefined): Record<string, string> {
  if (key === undefined) return {}
  return { authorization: key.includes(':') ? `Basic ${btoa(key)}` : `ApiKey ${key}` }
}
