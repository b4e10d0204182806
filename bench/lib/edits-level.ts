import { setTimeout as delay } from 'node:timers/promises'
import type { DocumentEditJob } from '@aisle/client'
import type { BenchCatalog } from './bench-catalog.ts'
import type { ClosedLoop } from './closed-loop.ts'
import { LOOK_MS, searchedStore, searchesText, secondsOf } from './searched-store.ts'

/** How long an edit of every document takes, and what searches notice of it. */
export interface EditsReport {
  readonly documents: number
  readonly loadSeconds: number
  readonly previewSeconds: number
  readonly editSeconds: number
  readonly undoSeconds: number
  readonly atRest: ClosedLoop
  readonly meanwhile: ClosedLoop
}

const RUNNING: readonly DocumentEditJob['state'][] = ['finding', 'changing']

/**
 * Loads the catalog, edits all its documents, and undoes that, beside searches on one connection.
 *
 * @param queries texts to search for
 * @param seconds of the searches at rest
 */
export async function editsLevel(
  catalog: BenchCatalog,
  queries: readonly string[],
  seconds: number,
): Promise<EditsReport> {
  const edited = { name: 'edited', type: 'int32' } as const
  await using searched = await searchedStore(catalog, [edited], queries, seconds)
  const { store, loadSeconds, atRest } = searched
  const request = { q: '*', edit: { set: { edited: 1 } } }
  const previewSeconds = await secondsOf(() => store.previewEdit(request))
  const whole = async (job: DocumentEditJob): Promise<DocumentEditJob> => {
    let now = job
    while (RUNNING.includes(now.state)) {
      await delay(LOOK_MS)
      now = await store.edit(job.id)
    }
    if (now.state !== 'done') throw new Error(`The edit is ${now.state}: ${now.error ?? ''}`)
    return now
  }
  let job: DocumentEditJob | undefined
  const searching = searched.searchMeanwhile()
  const editSeconds = await secondsOf(async () => {
    job = await whole(await store.editDocuments(request))
  })
  const meanwhile = await searching
  const undoSeconds = await secondsOf(async () => whole(await store.undoEdit(job!.id)))
  const documents = catalog.docCount
  return {
    documents,
    loadSeconds,
    previewSeconds,
    editSeconds,
    undoSeconds,
    atRest,
    meanwhile,
  }
}

export function editsText(report: EditsReport): string {
  const { documents, loadSeconds, previewSeconds, editSeconds, undoSeconds } = report
  return [
    `${documents} documents: loaded in ${loadSeconds.toFixed(1)} s, previewed in ${previewSeconds.toFixed(2)} s, edited in ${editSeconds.toFixed(1)} s (${(editSeconds / loadSeconds).toFixed(2)} of the load), undone in ${undoSeconds.toFixed(1)} s`,
    searchesText('edit', report.atRest, report.meanwhile),
  ].join('\n')
}
