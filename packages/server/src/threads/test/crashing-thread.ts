import { once } from 'node:events'
import { createServer } from 'node:http'
import { parentPort } from 'node:worker_threads'
import { endThread, serveCalls } from '../../adapters/message-port/serve-calls.ts'
import type { ServingThread } from '../serving-calls.ts'
import { servingData } from '../serving-worker.ts'

/** A serving thread that dies when asked to, in the way the path names. */
const data = await servingData()

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
const listening = once(server, 'listening')
server.listen({ port: data.port, host: data.host, reusePort: true })
const thread = {
  async listen() {
    await listening
    const address = server.address()
    return typeof address === 'object' ? (address?.port ?? 0) : 0
  },
  stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
} satisfies Partial<ServingThread>
serveCalls(parentPort!, { thread }, endThread)
