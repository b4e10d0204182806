import { WEBHOOK_PRODUCTS_MAX } from '@aisle/contract'
import { SOURCE_WEBHOOKS } from '../../ports/catalog/edit-journal.ts'
import { JobRecords } from '../jobs/job-records.ts'
import type { SourcePorts } from './source-ports.ts'
import type { SourceRecord } from './source-record.ts'

/** Deliveries that are remembered, so that repeated ones are recognized. */
const DELIVERIES_MAX = 100

/** What a shop has said by webhooks, and nobody has looked at yet. */
interface QueueRecord {
  /** That of the source. */
  readonly id: string
  /**
   * Documents that have changed, with the number of the webhook that said so last: one that arrives
   * while the document is read stays in the queue.
   */
  readonly changed: Readonly<Record<string, number>>
  readonly received: number
  /** The newest last. */
  readonly deliveries: readonly string[]
  /** More have changed than are remembered. */
  readonly isOverfull: boolean
}

const QUEUES = new JobRecords<QueueRecord>({
  noun: 'source',
  isOver: () => true,
  read: (json) => JSON.parse(json) as QueueRecord,
  write: (record) => JSON.stringify(record),
})

type Ports = Pick<SourcePorts, 'edits'>
type SourceId = Pick<SourceRecord, 'id'>

export interface Queued {
  /** Empty if there is nothing to do. */
  readonly ids: readonly string[]
  readonly isOverfull: boolean
  /** The last webhook that is part of it. */
  readonly received: number
}

/**
 * Adds documents to the queue of a source. It is durable when the promise resolves.
 *
 * @param delivery the same for each attempt to deliver it; empty: unknown
 * @returns false if the delivery had arrived before
 */
export async function enqueue(
  ports: Ports,
  { id }: SourceId,
  ids: readonly string[],
  delivery: string,
): Promise<boolean> {
  const empty = { id, changed: {}, received: 0, deliveries: [], isOverfull: false }
  for (;;) {
    let isRepeated = false
    const changed = await QUEUES.update(ports, keyOf(id), (queue) => {
      isRepeated = delivery !== '' && queue.deliveries.includes(delivery)
      return isRepeated ? undefined : withChanges(queue, ids, delivery)
    })
    if (changed !== undefined) return true
    if (isRepeated) return false
    // The first webhook of the source. Another thread may be as far.
    const first = JSON.stringify(empty)
    await ports.edits.put({ content: SOURCE_WEBHOOKS, id, isOpen: false, json: first })
  }
}

function withChanges(queue: QueueRecord, ids: readonly string[], delivery: string): QueueRecord {
  const received = queue.received + 1
  const changed = { ...queue.changed }
  let { isOverfull } = queue
  for (const id of ids) {
    const hasRoom = Object.hasOwn(changed, id) || Object.keys(changed).length < WEBHOOK_PRODUCTS_MAX
    if (hasRoom) changed[id] = received
    else isOverfull = true
  }
  const deliveries = [...queue.deliveries, ...(delivery === '' ? [] : [delivery])]
  return { ...queue, changed, received, deliveries: deliveries.slice(-DELIVERIES_MAX), isOverfull }
}

/** @param max documents at the same time */
export async function queued(ports: Ports, { id }: SourceId, max: number): Promise<Queued> {
  const queue = await QUEUES.find(ports, SOURCE_WEBHOOKS, id)
  if (queue === undefined) return { ids: [], isOverfull: false, received: 0 }
  const { changed, isOverfull, received } = queue
  return { ids: Object.keys(changed).slice(0, max), isOverfull, received }
}

/** Removes what was done, and keeps what has arrived since. */
export async function dequeue(
  ports: Ports,
  { id }: SourceId,
  { ids, received, isOverfull }: Queued,
): Promise<void> {
  await QUEUES.update(ports, keyOf(id), (queue) => {
    const changed = { ...queue.changed }
    for (const one of ids) if ((changed[one] ?? 0) <= received) delete changed[one]
    return { ...queue, changed, isOverfull: queue.isOverfull && !isOverfull }
  })
}

export async function removeQueue({ edits }: Ports, { id }: SourceId): Promise<void> {
  await edits.remove(SOURCE_WEBHOOKS, id)
}

function keyOf(id: string): { readonly content: string; readonly id: string } {
  return { content: SOURCE_WEBHOOKS, id }
}
