import { createServer } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'
import type { ServingThreadData, ToServingThread } from '../messages.ts'

/** A serving thread that dies when asked to, in the way the path names. */
const data = workerData as ServingThreadData

// As ThreadVitals does, without the time that its imports take.
setInterval(() => Atomics.add(data.vitals.beats, data.slot, 1), 50).unref()

const server = createServer((incoming, answer) => {
  switch (incoming.url) {
    case '/throw':
      setImmediate(() => {
        throw new Error('on purpose')
      })
      break
    case '/hang':
      for (;;);
    case '/exit':
      process.exit(3)
      break
    default:
      answer.setHeader('connection', 'close')
      answer.end(String(data.slot))
  }
})
server.listen({ port: data.port, host: data.host, reusePort: true }, () => {
  const address = server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  parentPort?.postMessage({ kind: 'listening', port })
})
parentPort?.on('message', (message: ToServingThread) => {
  if (message.kind === 'stop') server.close(() => parentPort?.postMessage({ kind: 'stopped' }))
})
