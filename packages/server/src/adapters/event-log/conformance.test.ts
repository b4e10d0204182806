import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { LogFolder, logNameOf, readLog } from '@aisle/event-log'
import { eventLogConformance } from '../../ports/events/event-log.conformance.ts'
import { EventLogClient } from './event-log-client.ts'
import { EventLogServer } from './event-log-server.ts'

eventLogConformance('event log on disk, through a port', () => {
  const folder = mkdtempSync(join(tmpdir(), 'aisle-events-'))
  const logs = new LogFolder({ folder, now: () => Date.now(), onProblem: () => undefined })
  const { port1, port2 } = new MessageChannel()
  new EventLogServer(logs).serve(port1)
  const log = new EventLogClient()
  log.connect(port2)
  return Promise.resolve({
    log,
    stored: async (owner) => {
      const { records } = readLog(logs.files(logNameOf(owner)), 0, await log.end(owner))
      return records.flatMap(({ entry }) => (entry.kind === 'event' ? [entry.messageId] : []))
    },
    async [Symbol.asyncDispose]() {
      port1.close()
      await logs.close()
      rmSync(folder, { recursive: true, force: true })
    },
  })
})
