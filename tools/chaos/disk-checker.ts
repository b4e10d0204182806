import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DiskLogFiles, LogFolder, readLog } from '@aisle/event-log'
import { Committer } from '../../packages/server/src/adapters/lmdb/committer.ts'
import { LmdbDocumentStore } from '../../packages/server/src/adapters/lmdb/document-store.ts'
import { openEnvironment } from '../../packages/server/src/adapters/lmdb/environment.ts'
import { CATALOG, eventId, GROUP, idsOf, LOG, writeTurn } from './disk-writer.ts'
import { versionOf } from './document.ts'

/** The process that opens a disk after a failure. It may crash, which is a problem too. */
export interface CheckOrder {
  readonly folder: string
  /** Acknowledged turns. */
  readonly answered: readonly number[]
  readonly turns: number
}

if (process.send !== undefined) {
  process.on('message', (order: CheckOrder) => {
    void check(order)
      .catch((error: unknown) => [`cannot be opened: ${String(error)}`])
      .then((problems) => process.send!(problems))
  })
}

async function check({ folder, answered, turns }: CheckOrder): Promise<string[]> {
  const problems: string[] = []
  mkdirSync(join(folder, 'lmdb'), { recursive: true })
  const environment = openEnvironment(join(folder, 'lmdb'), { readOnly: false })
  const committer = new Committer(environment, (message) => problems.push(message))
  const store = new LmdbDocumentStore(environment, committer, (_, message) =>
    problems.push(message),
  )
  const logs = new LogFolder({
    folder: join(folder, 'events'),
    now: () => turns * 3_600_000,
    onProblem: () => undefined,
  })
  const events = new Set<string>()
  const end = logs.end(LOG)
  const files = new DiskLogFiles(join(folder, 'events', LOG))
  for (let at = 0; at < end;) {
    const page = readLog(files, at, end)
    for (const { entry } of page.records) if (entry.kind === 'event') events.add(entry.messageId)
    if (page.next === at) break
    at = page.next
  }
  const found = new Map<string, number>()
  for (let turn = 1; turn <= turns; turn++) {
    for (const id of turn % 2 === 0 ? idsOf(turn) : []) {
      if (found.has(id)) continue
      const docKey = store.findKey(CATALOG, id)
      const document = docKey === undefined ? undefined : store.read(CATALOG, docKey)
      const version =
        document === undefined ? 0 : versionOf(JSON.parse(document.json.toString()) as never)
      if (typeof version === 'string') problems.push(`${id}: ${version}`)
      else found.set(id, version)
    }
  }
  for (const turn of answered) {
    for (const [i, id] of idsOf(turn).entries()) {
      const isThere = turn % 2 === 0 ? found.get(id)! >= turn : events.has(eventId(turn, i))
      if (!isThere) problems.push(`turn ${turn}: ${id} was answered and is lost`)
    }
  }
  const newest = Math.max(0, ...found.values())
  if (newest > 0 && idsOf(newest).some((id) => found.get(id) !== newest)) {
    problems.push(`turn ${newest}: some of ${GROUP} documents of one commit`)
  }
  // Further writes must succeed.
  await writeTurn(store, logs, turns + 1)
  await writeTurn(store, logs, turns + 2)
  await logs.close()
  await environment.root.close()
  return problems.slice(0, 5)
}
