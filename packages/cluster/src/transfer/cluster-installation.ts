import { join } from 'node:path'
import { LogFolder, logNameOf } from '@aisle/event-log'
import { EventIndex } from '../opensearch/event-index.ts'
import type { ClusterConnection } from '../opensearch/cluster-connection.ts'
import type { ControlIndex } from '../opensearch/control-index.ts'
import { oldestAudit } from '../access/audit-documents.ts'
import { storedUser, USER_KIND } from '../access/access-state.ts'
import type { OwnVector } from '../opensearch/own-vectors.ts'
import type { StoreEmbedding } from '../stores/store-places.ts'
import type { ClusterDocuments } from '../documents/cluster-documents.ts'
import type { ClusterSettings } from '../control/cluster-settings.ts'
import type { ClusterStores } from '../stores/cluster-stores.ts'
import { searchesOf } from '../stores/cluster-usage.ts'
import { CopyState } from '../events/copy-state.ts'
import { removalsOf } from '../events/event-removals.ts'
import { EventMirror } from '../events/event-mirror.ts'
import type { AuditEntry } from '@aisle/server/domain'
import type { Clock } from '@aisle/server/ports'
import { ADMIN_DIGEST } from '@aisle/server/parts'
import type { InstalledDocument, Installation, StoreState } from '@aisle/server'

/** The opened parts of a cluster that contain an installation. */
export interface OpenCluster {
  readonly cluster: ClusterConnection
  readonly index: ControlIndex
  readonly settings: ClusterSettings
  readonly stores: ClusterStores
  readonly documents: ClusterDocuments
  /** The prefix of all index names. */
  readonly prefix: string
  readonly clock: Clock
}

const AUDIT_PAGE = 1_000
const PAGE_BYTES = 1_000_000

/**
 * Reads the current content of a cluster, each store as of one point in time.
 *
 * @param folder receives copies of the event logs; nothing else may use it
 * @throws ClusterError, ApiError unavailable
 */
export async function readInstallation(parts: OpenCluster, folder: string): Promise<Installation> {
  const { index, settings, stores, documents } = parts
  const states: StoreState[] = []
  for (const record of stores.list()) states.push(await stateOf(parts, record.storeId))
  const users = (await index.all(USER_KIND)).flatMap((one) => storedUser(one)[1].user ?? [])
  const logs = states.map(({ record }) => logNameOf(record))
  return {
    adminDigest: settings.get(ADMIN_DIGEST) as string | undefined,
    events: await copyEvents(parts, logs, folder),
    users,
    stores: states,
    async *audit(): AsyncIterable<readonly AuditEntry[]> {
      for (let from = 1; ;) {
        const page = await oldestAudit(index, from, AUDIT_PAGE)
        if (page.length === 0) return
        yield page.map(({ entry }) => entry!)
        from = page.at(-1)!.id + 1
      }
    },
    async *documents({ record, schema }, after): AsyncIterable<readonly InstalledDocument[]> {
      const scan = await documents.scan(record.storeId, undefined, after)
      try {
        for (;;) {
          const page = (await scan?.next(PAGE_BYTES)) ?? []
          if (page.length === 0) return
          yield page.map(({ own, ...document }) => ({
            ...document,
            vectors: vectorsOf(schema, own),
          }))
        }
      } finally {
        scan?.close()
      }
    },
    close: async () => undefined,
  }
}

async function stateOf(
  { index, stores, documents }: OpenCluster,
  storeId: string,
): Promise<StoreState> {
  const record = stores.find(storeId)!
  const state = (await documents.places.read([storeId])).get(storeId)
  const { docCount, documentBytes, lastWriteAt } = await documents.statistics(storeId)
  return {
    record,
    schema: state?.documents.schema,
    language: state?.documents.language ?? 'en',
    resources: stores.of(storeId).all(),
    nextDocKey: state?.nextDocKey ?? 1,
    docCount,
    documentBytes,
    lastWriteMs: lastWriteAt === undefined ? 0 : Date.parse(lastWriteAt),
    searches: await searchesOf(index, record),
    embedding: state?.documents.embedding && progressOf(state.documents.embedding),
  }
}

/** What else a node knows of it, it finds out again. */
function progressOf({ nextSpace, from }: StoreEmbedding): StoreState['embedding'] {
  return { nextSpace, from, retired: [] }
}

function vectorsOf(
  schema: StoreState['schema'],
  own: readonly OwnVector[],
): InstalledDocument['vectors'] {
  const numbers = new Set(schema?.spaces?.map(({ number }) => number))
  return own.filter(({ space, codes }) => codes.length > 0 && numbers.has(space))
}

/** @returns the folder of the logs */
async function copyEvents(
  { cluster, index, prefix, clock }: OpenCluster,
  names: readonly string[],
  folder: string,
): Promise<string> {
  const events = join(folder, 'events')
  const now = (): number => clock.now()
  const refuse = (log: string | undefined, message: string): never => {
    throw new Error(`${log ?? 'events'}: ${message}`)
  }
  const logs = new LogFolder({ folder: events, now, onProblem: refuse })
  // Removals come before events, because a log rejects the events of an erased visitor.
  const removals = await removalsOf(index)
  for (const name of names) {
    const erased = removals.get(name)?.erased ?? []
    if (erased.length > 0) await logs.takeErased(name, erased)
  }
  const mirror = new EventMirror({
    index: new EventIndex(cluster, `${prefix}-events`),
    logs,
    state: new CopyState(join(folder, 'events-copied.json')),
    now,
    onProblem: refuse,
  })
  try {
    await mirror.catchUp()
  } finally {
    await mirror.close()
    await logs.close()
  }
  return events
}
