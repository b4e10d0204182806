import { chaosDocument } from './document.ts'
import { Journal, type Intent, type Known } from './journal.ts'
import type { StoreClient } from './store-client.ts'

/** Sends writes, one call at a time, until the server has ended. No other writer uses its ids. */
export interface ChaosWriter {
  readonly name: string
  readonly storeId: string
  readonly journal: Journal
  /** @returns problems: unexpected answers */
  run(client: StoreClient, random: () => number, pause: Pause): Promise<string[]>
}

/** After each call. */
export type Pause = () => Promise<unknown> | undefined

/** Versions are unique across writers and rounds. */
let versionCount = 0

/** Single documents: upsert, insert, update, delete. */
export function singleWriter(name: string, storeId: string, idCount: number): ChaosWriter {
  return writer(name, storeId, async (client, journal, random) => {
    const id = `${name}-${Math.floor(random() * idCount)}`
    const exists = journal.known.get(id) !== undefined
    const choice = random()
    if (choice < 0.2) {
      const expected = exists ? 200 : 404
      return call(journal, new Map([[id, undefined]]), expected, () => client.delete(id))
    }
    const version = ++versionCount
    const action = choice < 0.6 ? 'upsert' : exists ? 'update' : 'insert'
    return call(journal, new Map([[id, version]]), exists ? 200 : 201, () =>
      client.index(id, action, chaosDocument(version)),
    )
  })
}

/** Batches of documents, as JSON or NDJSON. */
export function bulkWriter(
  name: string,
  storeId: string,
  idCount: number,
  streamed: boolean,
): ChaosWriter {
  return writer(name, storeId, (client, journal, random) =>
    bulkCall(client, journal, random, { name, idCount, streamed }),
  )
}

/**
 * Batches; now and then clears all documents or replaces the schema. No other writer uses its
 * store.
 */
export function clearingWriter(name: string, storeId: string, idCount: number): ChaosWriter {
  return writer(name, storeId, (client, journal, random) => {
    const choice = random()
    if (choice < 0.7) return bulkCall(client, journal, random, { name, idCount, streamed: false })
    const changes = new Map<string, Known>([...journal.known.keys()].map((id) => [id, undefined]))
    const run = choice < 0.85 ? () => client.clear() : () => client.replaceSchema()
    return call(journal, changes, 200, run, true)
  })
}

function bulkCall(
  client: StoreClient,
  journal: Journal,
  random: () => number,
  { name, idCount, streamed }: { name: string; idCount: number; streamed: boolean },
): Promise<string | undefined> {
  const entries: { id: string; data: object }[] = []
  const changes = new Map<string, Known>()
  const size = 1 + Math.floor(random() * 120)
  for (let i = 0; i < size; i++) {
    const id = `${name}-${Math.floor(random() * idCount)}`
    const version = ++versionCount
    // A repeated id would leave two possible states after an interrupted call.
    if (changes.has(id)) continue
    entries.push({ id, data: chaosDocument(version) })
    changes.set(id, version)
  }
  return call(journal, changes, 207, async () => ((await client.bulk(entries, streamed)) ? 207 : 0))
}

function writer(
  name: string,
  storeId: string,
  step: (
    client: StoreClient,
    journal: Journal,
    random: () => number,
  ) => Promise<string | undefined>,
): ChaosWriter {
  const journal = new Journal()
  return {
    name,
    storeId,
    journal,
    async run(client, random, pause) {
      for (;;) {
        let problem: string | undefined
        try {
          problem = await step(client, journal, random)
        } catch {
          // The connection was lost: the server was killed.
          return []
        }
        if (problem !== undefined) return [`${name}: ${problem}`]
        await pause()
      }
    },
  }
}

/** @returns a problem if the answer is unexpected */
async function call(
  journal: Journal,
  changes: Intent['changes'],
  expected: number,
  run: () => Promise<number>,
  allOrNothing = false,
): Promise<string | undefined> {
  journal.intend({ changes, allOrNothing })
  const status = await run()
  if (status === expected) {
    journal.acknowledge()
    return undefined
  }
  if (status === 404 && expected === 404) journal.refuse()
  return `a write answered ${status}, expected ${expected}`
}
