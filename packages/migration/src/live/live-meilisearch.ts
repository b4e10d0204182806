import { listOf, objectOf } from '../json.ts'
import { ForeignApi } from './foreign-api.ts'
import type { LiveSource, SourceAddress } from './live-source.ts'

const PAGE_DOCUMENTS = 1_000

/** https://www.meilisearch.com/docs/reference/api/overview */
export function liveMeilisearch(address: SourceAddress): LiveSource {
  const api = new ForeignApi(
    address,
    address.key === undefined ? {} : { authorization: `Bearer ${address.key}` },
  )
  const path = `indexes/${encodeURIComponent(address.name)}`
  return {
    parts: async () => ({
      settings: await api.settings(`${path}/settings`),
      index: await api.settings(path),
    }),
    async *documents() {
      const { embedders } = objectOf(await api.settings(`${path}/settings`))
      // Older versions refuse the parameter.
      const vectors = Object.keys(objectOf(embedders)).length > 0 ? '&retrieveVectors=true' : ''
      for (let offset = 0; ; offset += PAGE_DOCUMENTS) {
        const page = objectOf(
          await api.json(`${path}/documents?offset=${offset}&limit=${PAGE_DOCUMENTS}${vectors}`),
        )
        const results = listOf(page['results'])
        for (const document of results) yield JSON.stringify(document)
        if (results.length < PAGE_DOCUMENTS) return
      }
    },
  }
}
