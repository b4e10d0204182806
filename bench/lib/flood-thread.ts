import { parentPort, workerData } from 'node:worker_threads'
import type { FloodData, FloodReport } from './flood.ts'
import { RawConnection } from './raw-connection.ts'

const { port, requests, connections } = workerData as FloodData

interface Sent {
  readonly request: Buffer
}

const counts = { answered: 0, refused: 0, failed: 0 }
const all = new Set<RawConnection<Sent>>()
let next = 0
let isOver = false
const startMs = performance.now()

function send(connection: RawConnection<Sent>): void {
  connection.send({ request: Buffer.from(requests[next++ % requests.length]!) })
}

function open(): void {
  const connection = new RawConnection<Sent>(port, settle)
  all.add(connection)
  send(connection)
}

function settle(connection: RawConnection<Sent>, _sent: Sent, status: number): void {
  if (isOver) return
  if (status === 429 || status === 503) counts.refused++
  else if (status === 0 || status >= 500) counts.failed++
  else counts.answered++
  if (!connection.isOver) return send(connection)
  all.delete(connection)
  connection.close()
  // Not at once: a closed port would make this a busy loop.
  setImmediate(open)
}

for (let i = 0; i < connections; i++) open()

parentPort!.once('message', () => {
  isOver = true
  for (const connection of all) connection.close()
  const seconds = (performance.now() - startMs) / 1_000
  const report: FloodReport = {
    answeredPerSecond: counts.answered / seconds,
    refusedPerSecond: counts.refused / seconds,
    failed: counts.failed,
  }
  parentPort!.postMessage(report)
})
