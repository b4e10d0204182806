import { parentPort, workerData } from 'node:worker_threads'
import { openReader, SourceNetworks } from '@aisle/sources'
import { endThread, serveCalls } from '../adapters/message-port/serve-calls.ts'
import { previewSource, readable, SourceComparison } from '../adapters/sources/source-comparison.ts'
import type { SourceThreadCalls, SourceThreadData } from '../adapters/sources/source-threads.ts'
import { lowerThreadPriority, PATIENT_NICENESS } from './thread-priority.ts'

/** Entry of the thread of one reading of a source. It ends with the reading. */

lowerThreadPriority(PATIENT_NICENESS)
const { request, networks } = workerData as SourceThreadData
const ending = new AbortController()
const opened = readable(async () => {
  const options = { secrets: request.secrets, networks: new SourceNetworks(networks) }
  const reader = await openReader(request.connection, options)
  return { reader, comparison: new SourceComparison(reader, request, ending.signal) }
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
      close: async () => {
        ending.abort()
        await (await comparison()).close()
      },
      preview: async (rows) => previewSource((await opened).reader, request, rows, ending.signal),
    },
  },
  endThread,
)
