import { parentPort, workerData } from 'node:worker_threads'
import { ID_DEFAULT } from '@aisle/import'
import { openReader, SourceNetworks, type SourceReader } from '@aisle/sources'
import { endThread, serveCalls } from '../adapters/message-port/serve-calls.ts'
import { previewSource, readable, SourceComparison } from '../adapters/sources/source-comparison.ts'
import { SourceFollowing } from '../adapters/sources/source-following.ts'
import type { SourceThreadCalls, SourceThreadData } from '../adapters/sources/source-threads.ts'
import { lowerThreadPriority, PATIENT_NICENESS } from './thread-priority.ts'

/** Entry of the thread of one reading of a source. It ends with the reading. */

lowerThreadPriority(PATIENT_NICENESS)
const { request, networks } = workerData as SourceThreadData
const ending = new AbortController()
const opened = readable(async () => {
  const { connection, secrets, owner, isTrial = false, idColumn = ID_DEFAULT } = request
  const options = { secrets, owner, idColumn, networks: new SourceNetworks(networks) }
  const reader = await openReader(connection, { ...options, isTrial })
  const comparison = new SourceComparison(reader, request, ending.signal)
  const trial = (): Promise<SourceReader> => openReader(connection, { ...options, isTrial: true })
  const following = new SourceFollowing(reader, trial, request, comparison.known, ending.signal)
  return { reader, comparison, following }
})
opened.catch(() => undefined)
const comparison = async (): Promise<SourceComparison> => (await opened).comparison

serveCalls<SourceThreadCalls>(
  parentPort!,
  {
    reading: {
      remember: async (part, isOutdated) => (await comparison()).remember(part, isOutdated),
      compact: async (part) => (await comparison()).compact(part),
      next: async () => (await comparison()).next(),
      figures: async () => (await comparison()).figures(),
      missing: async (part) => (await comparison()).missing(part),
      nextChanges: async (position) => (await opened).following.next(position),
      someNow: async (ids, position) => (await opened).following.some(ids, position),
      acknowledge: async (position) => (await opened).reader.acknowledge?.(position),
      drop: async () => readable(async () => (await opened).reader.drop?.()),
      close: async () => {
        ending.abort()
        await (await opened).following.close()
        await (await comparison()).close()
      },
      preview: async (rows) => previewSource((await opened).reader, request, rows, ending.signal),
    },
  },
  endThread,
)
