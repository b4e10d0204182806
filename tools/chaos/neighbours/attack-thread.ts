import { Agent, request as startRequest } from 'node:http'
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import type { Attack, AttackRequest } from './attack-request.ts'

/**
 * Sends the requests of an attack until it is told to stop, in its own thread and at the lowest
 * priority: what it does with answers must not delay those of the neighbour that is measured.
 */
export interface AttackThreadData {
  readonly url: string
  readonly attack: Attack
  /** Each request once, instead of until the end. */
  readonly once: boolean
}

/** Answers by status; `0`: a broken connection. */
export type AttackOutcome = Readonly<Record<string, number>>

if (process.platform === 'linux') setPriority(0, 19)
const { url, attack, once } = workerData as AttackThreadData
const { requests, connections = 4, endless = false } = attack
const agent = new Agent({ keepAlive: true, maxSockets: Infinity })
const outcome: Record<string, number> = {}
let isOver = false

parentPort!.once('message', () => {
  isOver = true
  agent.destroy()
})
await Promise.all(Array.from({ length: connections }, (_, i) => attackFrom(i)))
agent.destroy()
parentPort!.postMessage(outcome satisfies AttackOutcome)
parentPort!.close()

async function attackFrom(connection: number): Promise<void> {
  if (once || endless) {
    for (let i = connection; i < Math.max(requests.length, connections); i += connections) {
      if (isOver) return
      await counted(requests[i % requests.length]!)
    }
    return
  }
  for (let i = connection; !isOver; i++) await counted(requests[i % requests.length]!)
}

async function counted(request: AttackRequest): Promise<void> {
  const status = await sent(request)
  if (status === 0 && isOver) return
  outcome[status] = (outcome[status] ?? 0) + 1
}

function sent({ method, path, headers, body }: AttackRequest): Promise<number> {
  return new Promise((resolve) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
    const outgoing = startRequest(
      `${url}${path}`,
      { method, agent, headers: { ...headers, ...length } },
      (incoming) => {
        incoming.resume()
        incoming.once('close', () => resolve(incoming.statusCode ?? 0))
        incoming.once('error', () => undefined)
      },
    )
    outgoing.once('error', () => resolve(0))
    outgoing.end(body)
  })
}
