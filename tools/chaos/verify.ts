import { versionOf, wordOf } from './document.ts'
import type { Known } from './journal.ts'
import type { StoreClient } from './store-client.ts'
import type { ChaosWriter } from './writers.ts'

/** Documents that are also searched one by one. */
const SAMPLES = 6
/** Documents that are also read one by one. */
const READS = 10
const PAGE = 250

/** Compares one store with the journals of all its writers. @returns problems */
export async function verifyStore(
  client: StoreClient,
  writers: readonly ChaosWriter[],
  random: () => number,
): Promise<string[]> {
  const problems: string[] = []
  const actual = new Map<string, Known>()
  const see = (id: string, data: Record<string, unknown> | undefined): void => {
    const version = data === undefined ? undefined : versionOf(data)
    if (typeof version === 'string') problems.push(`${id}: ${version}`)
    else if (actual.has(id) && actual.get(id) !== version) {
      problems.push(`${id} is exported as ${actual.get(id)} and read as ${version ?? 'absent'}`)
    } else actual.set(id, version)
  }
  const ids = writers.flatMap((writer) => writer.journal.ids())
  const exported = await client.export()
  for (const id of ids) see(id, exported.get(id))
  const known = new Set(ids)
  for (const id of exported.keys()) if (!known.has(id)) problems.push(`${id} was never written`)
  // Single reads must agree about existing and absent documents.
  for (let i = 0; i < Math.min(READS, ids.length); i++) {
    const id = ids[Math.floor(random() * ids.length)]!
    see(id, await client.get(id))
  }
  for (const writer of writers) problems.push(...writer.journal.reconcile(actual))
  const live = new Map([...actual].filter(([, version]) => version !== undefined))
  problems.push(...(await verifySearch(client, live, random)))
  return problems.map((problem) => `${client.keys.storeId}: ${problem}`)
}

/** A search must find every readable document in its newest version, and nothing else. */
async function verifySearch(
  client: StoreClient,
  live: ReadonlyMap<string, Known>,
  random: () => number,
): Promise<string[]> {
  const problems: string[] = []
  const found = new Map<string, unknown>()
  for (let page = 1; ; page++) {
    const answer = await client.search({ q: '*', per_page: PAGE, page, sort_by: 'version:asc' })
    if (answer.found !== live.size) {
      problems.push(`search finds ${answer.found} documents, ${live.size} can be read`)
    }
    for (const { id, document } of answer.hits) {
      if (found.has(id)) problems.push(`${id} is found twice`)
      found.set(id, document['version'])
    }
    if (answer.hits.length < PAGE || problems.length > 0) break
  }
  for (const [id, version] of live) {
    if (found.get(id) !== version) {
      problems.push(`${id} version ${version} is not what a search finds: ${String(found.get(id))}`)
    }
  }
  const list = [...live]
  for (let i = 0; i < Math.min(SAMPLES, list.length); i++) {
    const [id, version] = list[Math.floor(random() * list.length)]!
    const word = wordOf(version!)
    const byWord = await client.search({ q: word, typo_max: 0, prefix_mode: 'off' })
    const byFilter = await client.search({ q: '*', filter_by: `version:=${version}` })
    for (const [how, { found: count, hits }] of Object.entries({ byWord, byFilter })) {
      if (count !== 1 || hits[0]?.id !== id) {
        problems.push(`${id} version ${version}: ${how} finds ${count} (${hits[0]?.id ?? 'none'})`)
      }
    }
  }
  return problems.slice(0, 20)
}
