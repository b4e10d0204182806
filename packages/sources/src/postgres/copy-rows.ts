import type { Client } from 'pg'
import { SourceError } from '../source-error.ts'
import { copiedValues } from './copied-values.ts'
import { CopyMessages } from './copy-messages.ts'
import { disconnect } from './postgres-client.ts'

const LINE_END = 0x0a

/**
 * The rows of a statement, by `COPY`. Ending the reading early ends the connection: the database
 * would send the rest.
 */
export async function* copyRows(
  client: Client,
  sql: string,
  signal: AbortSignal,
): AsyncGenerator<(string | null)[]> {
  signal.throwIfAborted()
  const messages = new CopyMessages(`COPY (${sql}) TO STDOUT (ENCODING 'UTF8')`, lineOf)
  const abort = (): void => messages.fail(signal.reason as Error)
  signal.addEventListener('abort', abort)
  let isComplete = false
  try {
    client.query(messages)
    for (;;) {
      const line = await messages.next()
      if (line === undefined) break
      yield copiedValues(line)
    }
    isComplete = true
  } finally {
    signal.removeEventListener('abort', abort)
    if (!isComplete) disconnect(client)
  }
}

/** A message is one row ("COPY Operations" in the description of the protocol). */
function lineOf(bytes: Buffer): string {
  if (bytes.at(-1) !== LINE_END) {
    throw new SourceError('unreadable', 'The database sent a part of a row')
  }
  return bytes.toString('utf8', 0, bytes.length - 1)
}
