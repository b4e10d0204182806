import { openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { LogFolder, RecordBatch } from '@aisle/event-log'
import { Committer } from '../../packages/server/src/adapters/lmdb/committer.ts'
import { LmdbDocumentStore } from '../../packages/server/src/adapters/lmdb/document-store.ts'
import { openEnvironment } from '../../packages/server/src/adapters/lmdb/environment.ts'
import { chaosDocument } from './document.ts'
import { ANSWERS_FILE } from './disk-journal.ts'

/**
 * The process whose disk is watched or fails: writes documents and events alternately with the
 * parts of the service that do so, and records each success in the acknowledgements file. A refusal
 * is not a success.
 */
export const CATALOG = 1
export const LOG = 'shop.1'
export const IDS = 30
/** Documents per commit, events per append. */
export const GROUP = 3

/** Exit code if LMDB cannot continue in this process. */
export const BROKEN_EXIT_CODE = 3

/** Ids written by a turn. */
export const idsOf = (turn: number): string[] =>
  Array.from({ length: GROUP }, (_, i) => `document-${(turn * GROUP + i) % IDS}`)

export const eventId = (turn: number, i: number): string => `event-${turn}-${i}`

export async function writeTurn(
  store: LmdbDocumentStore,
  logs: LogFolder,
  turn: number,
): Promise<void> {
  const json = Buffer.from(JSON.stringify(chaosDocument(turn)))
  if (turn % 2 === 0) {
    await store.commit({
      stores: [],
      removedStores: [],
      catalogs: [
        {
          catalog: CATALOG,
          puts: idsOf(turn).map((id, i) => ({ docKey: turn * GROUP + i, id, json })),
          removedIds: [],
          buried: [],
          reaped: [],
        },
      ],
    })
    return
  }
  const batch = new RecordBatch()
  for (let i = 0; i < GROUP; i++) {
    batch.add({
      kind: 'event',
      messageId: eventId(turn, i),
      atMs: turn,
      receivedMs: turn * 3_600_000,
      visitor: { anonymousId: 'a' },
      name: 'Product Viewed',
      source: 'canonical',
      properties: {},
    })
  }
  await logs.append(LOG, { records: batch.take() })
}

if (import.meta.main) {
  const [, , root = '', turns = '0'] = process.argv
  const answers = openSync(join(root, ANSWERS_FILE), 'a')
  const environment = openEnvironment(join(root, 'lmdb'), { readOnly: false })
  const committer = new Committer(
    environment,
    () => undefined,
    // Like the service: another process starts from the state of the disk.
    () => process.exit(BROKEN_EXIT_CODE),
  )
  const store = new LmdbDocumentStore(environment, committer, () => undefined)
  let turn = 1
  const logs = new LogFolder({
    folder: join(root, 'events'),
    now: () => turn * 3_600_000,
    onProblem: () => undefined,
  })
  for (; turn <= Number(turns); turn++) {
    const isDone = await writeTurn(store, logs, turn).then(
      () => true,
      () => false,
    )
    if (isDone) writeSync(answers, `${turn}\n`)
  }
  await logs.close()
  await environment.root.close()
}
