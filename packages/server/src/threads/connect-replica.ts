import { MessageChannel } from 'node:worker_threads'
import type { Publisher } from '../adapters/embedded/publisher.ts'
import type { SuggestionsThread } from './make-suggestions.ts'
import type { ThreadStart } from './thread-host.ts'

/**
 * A new replica of what is published, for a thread that follows it (`follow-replica.ts`).
 *
 * @param documents file of the documents
 */
export function connectReplica(
  publisher: Publisher,
  documents: string,
): Omit<ThreadStart<SuggestionsThread>, 'begin'> {
  const { port1, port2: publications } = new MessageChannel()
  publisher.connect(port1)
  return {
    workerData: { generation: publisher.generation, publications, documents },
    transferList: [publications],
    onEnded: () => publisher.disconnect(port1),
  }
}
