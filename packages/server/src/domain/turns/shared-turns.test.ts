import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { SharedTurns } from './shared-turns.ts'

/** A loop whose time passes in jobs, and between two turns in reading. */
class Loop {
  nowMs = 0
  readonly jobs: number[] = []
  /** The jobs of each turn, with their reported costs. */
  readonly run: number[][] = []
  readonly costs: number[] = []
  readonly gaps: number[] = []
  readonly #costMs: number
  #steps: (() => void)[] = []
  readonly turns = new SharedTurns({
    defer: (step) => void this.#steps.push(step),
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
    end: (costMs, gapMs) => {
      this.costs.push(costMs)
      this.gaps.push(gapMs)
    },
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
    while (this.#steps.length > 0) {
      const steps = this.#steps
      this.#steps = []
      this.run.push([])
      for (const step of steps) step()
      this.nowMs += this.#readMs
    }
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

  test('each job gets its cost, and the first of a turn the time of reading before it', () => {
    const loop = new Loop(0.5)
    loop.add(0.5, 0.5, 3)
    loop.finish()
    assert.deepEqual(loop.run, [[0.5, 0.5], [3]])
    assert.deepEqual(loop.costs, [0.5, 0.5, 3])
    assert.deepEqual(loop.gaps, [0, 0, 1])
    loop.add(1)
    loop.finish()
    assert.deepEqual(loop.gaps, [0, 0, 1, 0], 'nothing waited while the loop rested')
  })

  test('every job runs once, in order, at any real or estimated cost', () => {
    const costs = fc.array(fc.constantFrom(0, 0.125, 0.5, 2), { maxLength: 100 })
    fc.assert(
      fc.property(costs, costs, fc.constantFrom(0, 0.1, 1, 10), (first, second, costMs) => {
        const loop = new Loop(costMs)
        loop.add(...first)
        loop.finish()
        loop.add(...second)
        loop.finish()
        assert.deepEqual(loop.run.flat(), [...first, ...second])
        assert.deepEqual(loop.costs, [...first, ...second])
      }),
    )
  })
})
