import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { SharedTurns } from './shared-turns.ts'

const ACCEPT_MS = 0.125
const REQUEST_MS = 0.0625

/** A loop whose time passes in jobs, and between two turns in reading. */
class Loop {
  nowMs = 0
  /** Connections to be accepted, one in each pass. */
  connections = 0
  /** Passes for each. */
  passesPerConnection = 1
  #passCount = 0
  /** When the last of them was accepted. */
  acceptedMs = 0
  /** Requests to be read in the next pass, and the jobs that were done when each was. */
  requests = 0
  readonly doneAtRead: number[] = []
  readonly jobs: number[] = []
  /** The jobs of each turn, with their reported costs. */
  readonly run: number[][] = []
  readonly costs: number[] = []
  readonly #costMs: number
  #hasAccepted = false
  #steps: (() => void)[] = []
  #promises: (() => void)[] = []
  readonly turns = new SharedTurns({
    defer: (step) => void this.#steps.push(step),
    settle: (done) => void this.#promises.push(done),
    hasAccepted: () => {
      const has = this.#hasAccepted
      this.#hasAccepted = false
      return has
    },
    nowMs: () => this.nowMs,
    cpuMs: () => this.nowMs,
    waiting: () => this.jobs.length,
    costMs: () => this.#costMs,
    begin: () => {
      const job = this.jobs.shift()
      if (job === undefined) return false
      this.nowMs += job
      this.run.at(-1)!.push(job)
      return true
    },
    end: (costMs) => void this.costs.push(costMs),
  })

  readonly #readMs: number

  constructor(costMs: number, readMs = 1) {
    this.#costMs = costMs
    this.#readMs = readMs
  }

  add(...jobs: number[]): void {
    for (const job of jobs) {
      this.jobs.push(job)
      this.turns.schedule()
    }
  }

  /** Turns until nothing is left to do. */
  finish(): void {
    while (this.#steps.length > 0) this.pass()
  }

  pass(): void {
    this.#read()
    const steps = this.#steps
    this.#steps = []
    this.run.push([])
    for (const step of steps) step()
    this.nowMs += this.#readMs
  }

  #read(): void {
    if (this.connections > 0 && this.#passCount++ % this.passesPerConnection === 0) {
      this.connections--
      this.#hasAccepted = true
      this.nowMs += ACCEPT_MS
      this.acceptedMs = this.nowMs
    }
    this.run.push([])
    for (; this.requests > 0; this.requests--) {
      this.nowMs += REQUEST_MS
      this.turns.read()
      this.doneAtRead.push(this.costs.length)
      for (const done of this.#promises.splice(0)) done()
    }
    if (this.run.at(-1)!.length === 0) this.run.pop()
  }
}

suite('turns that short jobs share', () => {
  test('a turn has one long job, or short ones until it has lasted a millisecond', () => {
    const long = new Loop(5)
    long.add(5, 5, 0.25)
    long.finish()
    assert.deepEqual(long.run, [[5], [5], [0.25]])

    const short = new Loop(0.25)
    short.add(0.25, 0.25, 0.25, 0.25, 0.25, 0.25)
    short.finish()
    assert.deepEqual(short.run, [
      [0.25, 0.25, 0.25, 0.25],
      [0.25, 0.25],
    ])

    const mixed = new Loop(0.25)
    mixed.add(0.25, 5, 0.25, 0.25)
    mixed.finish()
    assert.deepEqual(mixed.run, [
      [0.25, 5],
      [0.25, 0.25],
    ])
  })

  test('a turn has at most sixteen', () => {
    const loop = new Loop(0)
    loop.add(...Array.from({ length: 40 }, () => 0))
    loop.finish()
    assert.deepEqual(
      loop.run.map(({ length }) => length),
      [16, 16, 8],
    )
  })

  test('a turn lasts as long as the reading before it, up to 20 ms', () => {
    for (const [readMs, shareMs] of [
      [0, 1],
      [8, 8],
      [100, 20],
    ] as const) {
      const loop = new Loop(0.5, readMs)
      loop.add(...Array.from({ length: 200 }, () => 0.5))
      loop.finish()
      const [first, second, third] = loop.run.map(({ length }) => length * 0.5)
      assert.deepEqual([first, second, third], [1, shareMs, shareMs])
    }
  })

  test('each job gets its cost, without the reading before it', () => {
    const loop = new Loop(0.5)
    loop.add(0.5, 0.5, 3)
    loop.finish()
    assert.deepEqual(loop.run, [[0.5, 0.5], [3]])
    assert.deepEqual(loop.costs, [0.5, 0.5, 3])
  })

  test('no turn begins while connections wait to be accepted, for up to 20 ms', () => {
    const loop = new Loop(5, 0)
    loop.connections = 100
    loop.add(...Array.from({ length: 40 }, () => 5))
    loop.finish()
    assert.ok(loop.acceptedMs < 20, `a hundred connections are accepted in ${loop.acceptedMs} ms`)
    assert.equal(loop.costs.length, 40)

    const flood = new Loop(5, 0)
    flood.connections = 1_000
    flood.add(...Array.from({ length: 40 }, () => 5))
    flood.finish()
    // A fifth of the time is for jobs meanwhile.
    assert.ok(flood.acceptedMs > 145 && flood.acceptedMs < 160, `${flood.acceptedMs} ms`)
  })

  test('connections that come one after the other do not put off a turn for longer', () => {
    const loop = new Loop(1, 0.125)
    loop.connections = 10_000
    loop.passesPerConnection = 2
    loop.add(1, 1, 1)
    while (loop.costs.length < 3) loop.pass()
    assert.ok(loop.nowMs < 3 * 25, `${loop.nowMs} ms`)
  })

  test('a connection that was accepted long ago delays a job by one pass', () => {
    const loop = new Loop(1, 0)
    loop.connections = 1
    loop.add(1)
    loop.finish()
    assert.deepEqual([loop.run.flat(), loop.nowMs], [[1], 1 + ACCEPT_MS])
  })

  test('when a pass has read for 5 ms, jobs take a turn of a millisecond between two requests', () => {
    const loop = new Loop(1, 0)
    loop.requests = 8_000
    loop.add(...Array.from({ length: 200 }, () => 1))
    loop.finish()
    // 500 ms of reading: a job after each 5 ms of them.
    assert.deepEqual(
      [79, 80, 81, 161, 162, 4_000, 8_000].map((request) => loop.doneAtRead[request - 1]),
      [0, 0, 1, 1, 2, 49, 98],
    )
    // Then a turn that is as long as the reading was, up to 20 ms.
    const turns = loop.run.map(({ length }) => length).filter((length) => length > 0)
    assert.deepEqual(turns.slice(0, 3), [98, 20, 1])
    assert.equal(
      turns.reduce((sum, length) => sum + length),
      200,
    )
  })

  test('every job runs once, in order, at any real or estimated cost, whatever arrives', () => {
    const costs = fc.array(fc.constantFrom(0, 0.125, 0.5, 2), { maxLength: 100 })
    const arriving = fc.record({
      connections: fc.nat(300),
      requests: fc.nat(1_000),
    })
    fc.assert(
      fc.property(
        fc.array(fc.tuple(costs, arriving), { maxLength: 4 }),
        fc.constantFrom(0, 0.1, 1, 10),
        (rounds, costMs) => {
          const loop = new Loop(costMs)
          for (const [jobs, arriving] of rounds) {
            Object.assign(loop, arriving)
            loop.add(...jobs)
            loop.finish()
          }
          const jobs = rounds.flatMap(([jobs]) => jobs)
          assert.deepEqual(loop.run.flat(), jobs)
          assert.equal(loop.costs.length, jobs.length)
          // The cost of a job includes what was read before the next step.
          for (const [i, cost] of loop.costs.entries()) {
            assert.ok(cost >= jobs[i]! && cost <= jobs[i]! + 2 * (REQUEST_MS + ACCEPT_MS) + 1)
          }
        },
      ),
    )
  })
})
