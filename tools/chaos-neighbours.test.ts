import assert from 'node:assert/strict'
import test from 'node:test'
import type { AttackReport } from './chaos/neighbours/run.ts'
import { attackLine, runNeighbours } from './chaos/neighbours/run.ts'

/**
 * Each attack once, and smaller: turns are measured in processor time, which a busy machine does
 * not lengthen. `npm run chaos -- --neighbours` measures what a neighbour feels.
 */
test('no request of one store holds a thread that all share', { timeout: 600_000 }, async () => {
  const reports: AttackReport[] = []
  const problems = await runNeighbours({
    seconds: 1,
    threads: 1,
    documents: 1_000,
    scale: 0.05,
    once: true,
    onAttack: (report) => reports.push(report),
  })
  assert.deepEqual(problems, [])
  assert.ok(reports.length > 100, `${reports.length} attacks`)
  // Each has reached the service, and few were refused for being wrong.
  const answered = reports.filter(({ outcome }) =>
    Object.keys(outcome).some((status) => status.startsWith('2')),
  )
  assert.ok(answered.length > reports.length / 2, `${answered.length} of ${reports.length}`)
  assert.match(attackLine(reports[0]!), /^ok {4} \| polygons/)
})
