import { listOf, objectOf, textOf } from '../json.ts'
import { SourceError } from '../source-error.ts'
import { ForeignApi } from './foreign-api.ts'
import type { LiveSource, SourceAddress } from './live-source.ts'

const PAGE_RECORDS = 1_000
/** Maximum of synonyms and rules: pages of 1,000. */
const PAGES_MAX = 100

/** https://www.algolia.com/doc/rest-api/search/ */
export function liveAlgolia(address: SourceAddress): LiveSource {
  const { application, key, name } = address
  if (application === undefined || key === undefined) {
    throw new SourceError(
      'Algolia needs an application id and a key that may browse and read settings',
    )
  }
  const api = new ForeignApi(address, {
    'x-algolia-application-id': application,
    'x-algolia-api-key': key,
  })
  const path = `1/indexes/${encodeURIComponent(name)}`
  const searched = async (kind: string): Promise<unknown[]> => {
    const all: unknown[] = []
    for (let page = 0; page < PAGES_MAX; page++) {
      const body = { query: '', page, hitsPerPage: PAGE_RECORDS }
      const hits = listOf(objectOf(await api.settings(`${path}/${kind}/search`, { body }))['hits'])
      all.push(...hits)
      if (hits.length < PAGE_RECORDS) break
    }
    return all
  }
  return {
    parts: async () => ({
      settings: await api.settings(`${path}/settings`),
      synonyms: await searched('synonyms'),
      rules: await searched('rules'),
    }),
    async *documents() {
      let cursor: string | undefined
      do {
        const body = cursor === undefined ? { hitsPerPage: PAGE_RECORDS } : { cursor }
        const answer = objectOf(await api.json(`${path}/browse`, { body }))
        for (const record of listOf(answer['hits'])) yield JSON.stringify(record)
        cursor = textOf(answer['cursor'])
      } while (cursor !== undefined)
    },
  }
}
