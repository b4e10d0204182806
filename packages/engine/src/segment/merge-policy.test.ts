import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { seededRandom } from '@aisle/testing'
import type { SegmentSize } from './merge-policy.ts'
import { pickMerge, SEGMENTS_IDLE_MAX } from './merge-policy.ts'

/** Segments as numbers; performs the merges that the policy picks. */
class SimulatedIndex {
  segments: { docCount: number; liveCount: number }[] = []
  written = 0
  rewritten = 0
  segmentsMax = 0

  add(docCount: number): void {
    this.segments.push({ docCount, liveCount: docCount })
    this.written += docCount
    this.merge(false)
  }

  /** Deletes documents of random segments. */
  remove(count: number, random: () => number): void {
    for (let i = 0; i < count; i++) {
      const segment = this.segments[Math.floor(random() * this.segments.length)]
      if (segment !== undefined && segment.liveCount > 0) segment.liveCount--
    }
    this.segments = this.segments.filter(({ liveCount }) => liveCount > 0)
  }

  merge(idle: boolean, isQuiet = false): void {
    const pick = () => pickMerge(this.segments, idle, isQuiet)
    for (let run = pick(); run; run = pick()) {
      assert.ok(run.from < run.to && run.to <= this.segments.length)
      const sources = this.segments.slice(run.from, run.to)
      const liveCount = sources.reduce((sum, segment) => sum + segment.liveCount, 0)
      this.segments.splice(run.from, run.to - run.from, { docCount: liveCount, liveCount })
      this.rewritten += liveCount
    }
    this.segmentsMax = Math.max(this.segmentsMax, this.segments.length)
  }
}

const of = (...counts: number[]): SegmentSize[] =>
  counts.map((docCount) => ({ docCount, liveCount: docCount }))

const SEQUENCES: Record<string, { batches: number; size: (random: () => number) => number }> = {
  'one document at a time': { batches: 30_000, size: () => 1 },
  '500 documents at a time': { batches: 2_000, size: () => 500 },
  'batches of all sizes': {
    batches: 5_000,
    size: (random) => Math.ceil(10 ** (random() * 3.3)),
  },
  'large batches with single documents between': {
    batches: 4_000,
    size: (random) => (random() < 0.05 ? 5_000 : 1),
  },
}

suite('merge policy', () => {
  for (const [name, { batches, size }] of Object.entries(SEQUENCES)) {
    test(`${name}: few segments at any time, and few rewrites per document`, () => {
      const random = seededRandom(5)
      const index = new SimulatedIndex()
      const steady: number[] = []
      for (let i = 0; i < batches; i++) {
        index.add(size(random))
        steady.push(index.segments.length)
      }
      const mean = steady.reduce((sum, count) => sum + count, 0) / steady.length
      const amplification = index.rewritten / index.written
      const figures = `mean ${mean}, most ${index.segmentsMax}, rewritten ${amplification}`
      assert.ok(mean <= 12, figures)
      assert.ok(index.segmentsMax <= 24, figures)
      assert.ok(amplification <= 10, figures)
      index.merge(true)
      assert.ok(index.segments.length <= SEGMENTS_IDLE_MAX)
    })
  }

  test('updates keep the share of deleted documents low', () => {
    const random = seededRandom(9)
    const index = new SimulatedIndex()
    for (let i = 0; i < 40; i++) index.add(500)
    for (let i = 0; i < 3_000; i++) {
      index.remove(20, random)
      index.add(20)
      const all = index.segments.reduce((sum, { docCount }) => sum + docCount, 0)
      const live = index.segments.reduce((sum, { liveCount }) => sum + liveCount, 0)
      assert.ok(all - live <= all * 0.31 + 20, `${all - live} of ${all} documents are dead`)
    }
    assert.ok(index.segmentsMax <= 24, String(index.segmentsMax))
  })

  test('an idle small index has one segment, a larger one may have more', () => {
    const small = [200, 300, 1].map((count) => ({ docCount: count, liveCount: count }))
    assert.equal(pickMerge(small, false), undefined)
    assert.deepEqual(pickMerge(small, true), { from: 0, to: 3 })
    assert.equal(pickMerge(small.slice(0, 1), true), undefined)
    const larger = [...small, { docCount: 800, liveCount: 800 }]
    assert.equal(pickMerge(larger, true), undefined)
  })

  test('an idle index merges neighbours of about equal size', () => {
    const loaded = of(500_000, 100_000, 100_000, 100_000, 25_000, 25_000, 20_000, 20_000)
    assert.equal(pickMerge(loaded, false), undefined)
    assert.deepEqual(pickMerge(loaded, true), { from: 1, to: 8 })
    assert.equal(pickMerge(of(500_000, 390_000), true), undefined)
    assert.deepEqual(pickMerge(of(500_000, 250_000, 250_000), true), { from: 0, to: 3 })
    assert.equal(pickMerge(of(500_001, 250_000, 250_000), true), undefined)
  })

  test('an index without writes for a while becomes one segment, if that pays', () => {
    assert.deepEqual(pickMerge(of(600_000, 250_000, 90_000), true, true), { from: 0, to: 3 })
    assert.equal(pickMerge(of(600_000, 250_000, 90_000), true), undefined)
    assert.equal(pickMerge(of(950_000, 30_000, 10_000), true, true), undefined)
    assert.equal(pickMerge(of(3_000_000, 1_400_000), true, true), undefined)
    assert.equal(pickMerge(of(950_000), true, true), undefined)
    const index = new SimulatedIndex()
    index.add(100_000)
    index.written = 0
    for (let i = 0; i < 3_000; i++) {
      index.add(200)
      index.merge(true, true)
    }
    const amplification = index.rewritten / index.written
    assert.ok(amplification <= 20, String(amplification))
  })

  for (const size of [1, 500]) {
    test(`${size} at a time, idle after each: few rewrites per document`, () => {
      const index = new SimulatedIndex()
      index.add(100_000)
      index.written = 0
      for (let i = 0; i < 3_000; i++) {
        index.add(size)
        index.merge(true)
        assert.ok(index.segments.length <= SEGMENTS_IDLE_MAX)
      }
      const amplification = index.rewritten / index.written
      assert.ok(amplification <= 12, String(amplification))
    })
  }

  test('does not merge without need', () => {
    assert.equal(pickMerge([], true), undefined)
    assert.equal(pickMerge(of(1), true), undefined)
    assert.equal(pickMerge(of(90_000, 1, 1, 1, 1), false), undefined)
    assert.deepEqual(pickMerge(of(90_000, 1, 1, 1, 1, 1), false), { from: 1, to: 6 })
    assert.deepEqual(pickMerge([{ docCount: 10, liveCount: 6 }], false), { from: 0, to: 1 })
    assert.equal(pickMerge([{ docCount: 10, liveCount: 7 }], false), undefined)
  })
})
