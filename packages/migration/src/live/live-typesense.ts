import { objectOf, listOf } from '../json.ts'
import { ForeignApi } from './foreign-api.ts'
import type { LiveSource, SourceAddress } from './live-source.ts'

/** https://typesense.org/docs/ */
export function liveTypesense(address: SourceAddress): LiveSource {
  const api = new ForeignApi(address, { 'x-typesense-api-key': address.key ?? '' })
  const path = `collections/${encodeURIComponent(address.name)}`
  return {
    parts: async () => {
      const collection = await api.settings(path)
      const linked = objectOf(collection)
      return {
        collection,
        synonyms:
          (await linkedSets(api, 'synonym_sets', linked['synonym_sets'])) ??
          (await api.settings(`${path}/synonyms`)),
        overrides:
          (await linkedSets(api, 'curation_sets', linked['curation_sets'])) ??
          (await api.settings(`${path}/overrides`)),
        presets: await api.settings('presets'),
        stopwords: await api.settings('stopwords'),
      }
    },
    documents: () => api.lines(`${path}/documents/export`),
  }
}

/** Since version 30, sets are separate from collections, which name them. */
async function linkedSets(api: ForeignApi, kind: string, names: unknown): Promise<unknown> {
  const linked = listOf(names).filter((name) => typeof name === 'string')
  if (linked.length === 0) return undefined
  const sets: unknown[] = []
  for (const name of linked) {
    sets.push(objectOf(await api.settings(`${kind}/${encodeURIComponent(name)}`)))
  }
  // The items of all curation sets count alike.
  return kind === 'curation_sets' ? sets.flatMap((set) => listOf(objectOf(set)['items'])) : sets
}
