import { setTimeout as delay } from 'node:timers/promises'
import type { BenchCatalog } from './bench-catalog.ts'
import type { ClosedLoop } from './closed-loop.ts'
import { LOOK_MS, searchedStore, searchesText, secondsOf } from './searched-store.ts'

/** How long a change of the schema takes, and what searches notice of it. */
export interface SchemaChangeReport {
  readonly documents: number
  readonly loadSeconds: number
  readonly changeSeconds: number
  readonly atRest: ClosedLoop
  readonly meanwhile: ClosedLoop
}

/**
 * Loads the catalog, gives a field of texts the role of a facet, and searches on one connection at
 * rest and meanwhile.
 *
 * @param queries texts to search for
 * @param seconds of the searches at rest
 */
export async function schemaChangeLevel(
  catalog: BenchCatalog,
  queries: readonly string[],
  seconds: number,
): Promise<SchemaChangeReport> {
  await using searched = await searchedStore(catalog, [], queries, seconds)
  const { store, loadSeconds, atRest } = searched
  const { fields } = await store.schema()
  const field = fields.find(({ type, facet }) => type === 'string' && !facet)
  if (field === undefined) throw new Error('The catalog has no text that is not a facet')
  let searching: Promise<ClosedLoop> | undefined
  const changeSeconds = await secondsOf(async () => {
    await store.changeSchema({ mode: 'change', fields: [{ ...field, facet: true }] })
    searching = searched.searchMeanwhile()
    while ((await store.schema()).change !== undefined) await delay(LOOK_MS)
  })
  const documents = catalog.docCount
  return { documents, loadSeconds, changeSeconds, atRest, meanwhile: await searching! }
}

export function schemaChangeText(report: SchemaChangeReport): string {
  const { documents, loadSeconds, changeSeconds, atRest, meanwhile } = report
  return [
    `${documents} documents: loaded in ${loadSeconds.toFixed(1)} s, changed in ${changeSeconds.toFixed(1)} s, beside searches (${(changeSeconds / loadSeconds).toFixed(2)} of the load)`,
    searchesText('change', atRest, meanwhile),
  ].join('\n')
}
