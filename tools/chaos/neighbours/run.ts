import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { TURN_MAX_MS } from '@aisle/contract'
import { ServerProcess, ThinClient } from '@aisle/testing'
import type { Attack, Attacker, AttackRequest, HeavyAttack } from './attack-request.ts'
import type { AttackOutcome, AttackThreadData } from './attack-thread.ts'
import { createAttacker } from './attacker-store.ts'
import { everyOperation } from './every-operation.ts'
import { heavyAttacks } from './heavy-attacks.ts'
import { LongTurns } from './long-turns.ts'
import { QuietStore, type Felt, type Latency } from './quiet-store.ts'

export interface NeighboursOptions {
  /** Duration of each attack. */
  readonly seconds: number
  readonly threads: number
  /** Documents of the attacking store. */
  readonly documents: number
  /** Part of the worst number of rules, synonyms and documents per request. */
  readonly scale?: number
  /** Only attacks whose name contains one of these. */
  readonly only?: readonly string[] | undefined
  /**
   * Each request of an attack once, instead of again and again; the neighbour is not measured, only
   * the turns of the threads.
   */
  readonly once?: boolean
  readonly onAttack?: (report: AttackReport) => void
}

export interface AttackReport {
  readonly name: string
  readonly outcome: AttackOutcome
  /** What the neighbour felt shortly before, and beside the attack. */
  readonly alone: Felt | undefined
  readonly beside: Felt | undefined
  /** Longest turn of each thread, in ms of its processor time. */
  readonly turns: ReadonlyMap<string, number>
  readonly problems: readonly string[]
}

/** The neighbour's p99 beside an attack: at most this many times that alone… */
const TIMES_MAX = 2
/** …and at most this much more. */
const MORE_MAX_MS = 100
/**
 * Beneath two turns it is not an attack that is measured, but how the machine shares its
 * processors.
 */
const FELT_MIN_MS = 2 * TURN_MAX_MS
/**
 * Threads that a neighbour waits for, and their longest turn with an attack, in processor time: a
 * busy machine doubles it, because its caches are those of others.
 */
const TURN_LIMITS_MS: Readonly<Record<string, number>> = { serve: 300, writer: 300, events: 200 }
/** Rest after each attack: merges, and connections that close. */
const REST_MS = 300

export async function runNeighbours(options: NeighboursOptions): Promise<readonly string[]> {
  const { seconds, threads, documents, scale = 1, only = [''], once = false, onAttack } = options
  using turns = new LongTurns()
  await using server = await ServerProcess.start({
    threads,
    environment: { AISLE_LOG_LEVEL: 'fatal', AISLE_MCP: 'true', ...turns.environment },
  })
  using client = new ThinClient(server.url, { adminToken: server.adminToken, connections: 64 })
  const quiet = await QuietStore.create(client)
  const attacker = await createAttacker(server, client, documents)
  // The code in use is compiled.
  await quiet.measured(3_000)
  const problems: string[] = []
  for (const attack of attacksOf(attacker, scale)) {
    if (!only.some((part) => attack.name.includes(part))) continue
    const beside = new Beside(server, client, quiet, turns)
    const report = await beside.attacked(attack, { seconds, once })
    onAttack?.(report)
    problems.push(...report.problems)
    if (!once) await sleep(REST_MS)
  }
  return problems
}

function attacksOf(attacker: Attacker, scale: number): HeavyAttack[] {
  return [...heavyAttacks(attacker, scale), ...everyOperation(attacker)]
}

class Beside {
  readonly #server: ServerProcess
  readonly #client: ThinClient
  readonly #quiet: QuietStore
  readonly #turns: LongTurns

  constructor(server: ServerProcess, client: ThinClient, quiet: QuietStore, turns: LongTurns) {
    this.#server = server
    this.#client = client
    this.#quiet = quiet
    this.#turns = turns
  }

  async attacked(
    attack: HeavyAttack,
    { seconds, once }: { readonly seconds: number; readonly once: boolean },
  ): Promise<AttackReport> {
    const { name, setUp = [], tidyUp = [] } = attack
    const refused = await this.#send(setUp)
    const alone = once ? undefined : await this.#quiet.measured(seconds * 500)
    const fromMs = Date.now()
    const running = startAttack(this.#server.url, attack, once)
    const beside = once ? undefined : await this.#quiet.measured(seconds * 1_000)
    if (once && attack.endless === true) await sleep(seconds * 1_000)
    if (!once || attack.endless === true) running.stop()
    const outcome = await running.outcome
    const turns = this.#turns.longest(fromMs, Date.now())
    await this.#send(tidyUp)
    const problems = [
      ...refused,
      ...problemsOf('search', alone?.searches, beside?.searches),
      ...problemsOf('write', alone?.writes, beside?.writes),
      ...(once ? turnProblems(turns) : []),
      ...(outcome['500'] === undefined ? [] : [`${outcome['500']} answers of 500`]),
    ].map((problem) => `${name}: ${problem}`)
    return { name, outcome, alone, beside, turns, problems }
  }

  /** @returns the first refusal */
  async #send(requests: readonly AttackRequest[]): Promise<string[]> {
    for (const request of requests) {
      const { status, body } = await this.#client.http.send(request)
      if (status >= 400) return [`it was not set up: ${status} ${body.toString().slice(0, 200)}`]
    }
    return []
  }
}

function startAttack(
  url: string,
  attack: Attack,
  once: boolean,
): { readonly outcome: Promise<AttackOutcome>; stop(): void } {
  const { name, requests, connections, endless } = attack
  const plain = {
    name,
    requests,
    ...(connections === undefined ? {} : { connections }),
    ...(endless === undefined ? {} : { endless }),
  }
  const worker = new Worker(new URL('attack-thread.ts', import.meta.url), {
    workerData: { url, attack: plain, once } satisfies AttackThreadData,
  })
  const outcome = new Promise<AttackOutcome>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
  return { outcome, stop: () => worker.postMessage('stop') }
}

function problemsOf(kind: string, alone?: Latency, beside?: Latency): string[] {
  if (alone === undefined || beside === undefined) return []
  const problems: string[] = []
  const { p99Ms } = beside
  const isSlow = p99Ms > alone.p99Ms * TIMES_MAX && p99Ms > FELT_MIN_MS
  if (isSlow || p99Ms > alone.p99Ms + MORE_MAX_MS) {
    problems.push(`a ${kind} took ${p99Ms.toFixed(0)} ms (p99), ${alone.p99Ms.toFixed(0)} alone`)
  }
  if (beside.failures > alone.failures) problems.push(`${beside.failures} of ${kind} failed`)
  return problems
}

function turnProblems(turns: ReadonlyMap<string, number>): string[] {
  return [...turns]
    .filter(([thread, turnMs]) => turnMs > (TURN_LIMITS_MS[thread] ?? Infinity))
    .map(([thread, turnMs]) => `a turn of the thread "${thread}" took ${turnMs.toFixed(0)} ms`)
}

/** A line of the table that is printed as the attacks go on. */
export function attackLine({
  name,
  outcome,
  alone,
  beside,
  turns,
  problems,
}: AttackReport): string {
  const answers = Object.entries(outcome).map(([status, count]) => `${count} of ${status}`)
  const longest = [...turns].map(([thread, turnMs]) => `${thread} ${turnMs.toFixed(0)}`)
  return [
    problems.length === 0 ? 'ok    ' : 'FELT  ',
    name.padEnd(26),
    figures(alone?.searches, beside?.searches),
    figures(alone?.writes, beside?.writes),
    `turns ${longest.join(', ') || '-'}`.padEnd(40),
    answers.join(', '),
  ].join(' | ')
}

function figures(alone?: Latency, beside?: Latency): string {
  const text = (one?: Latency): string =>
    one === undefined
      ? '-'
      : [one.p50Ms, one.p99Ms, one.maxMs].map((ms) => ms.toFixed(0).padStart(4)).join('')
  return `${text(alone)} > ${text(beside)}`
}
