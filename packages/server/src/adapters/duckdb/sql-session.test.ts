import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { DuckDBInstance } from '@duckdb/node-api'
import { InterruptedError, SqlSession } from './sql-session.ts'
import { threadSteps } from './thread-steps.ts'

type Step = () => boolean

const HEAVY = `SELECT count(DISTINCT md5(i::VARCHAR)) AS n FROM range(1500000) numbers(i)`

suite('statements of several sessions', () => {
  test('share the thread: a short one ends while a long one is running', async () => {
    await using made = await instance()
    const [heavy, light] = [await made.session(), await made.session(undefined, 'light')]
    let isOver = false
    const long = heavy.row(HEAVY).then((row) => {
      isOver = true
      return row
    })
    using _ = made.steps.expect('light')
    for (let i = 0; i < 5; i++) assert.deepEqual(await light.row('SELECT 1 AS n'), { n: 1 })
    assert.equal(isOver, false)
    assert.deepEqual(await long, { n: 1_500_000 })
  })

  test('share it by store: one that keeps asking gets no more of it than another', async () => {
    await using made = await instance()
    const usedMs = { busy: 0, quiet: 0 }
    const timed = (owner: keyof typeof usedMs) => (step: Step) => {
      const startMs = performance.now()
      try {
        return step()
      } finally {
        usedMs[owner] += performance.now() - startMs
      }
    }
    let isOver = false
    const asking = Array.from({ length: 3 }, async () => {
      const session = await made.session(timed('busy'), 'busy')
      for (let i = 0; i < 500 && !isOver; i++)
        await session.row('SELECT count(DISTINCT i) AS n FROM range(50000) t(i)')
    })
    const quiet = await made.session(timed('quiet'), 'quiet')
    await quiet.row(HEAVY)
    isOver = true
    const { busy: busyMs, quiet: quietMs } = { ...usedMs }
    await Promise.all(asking)
    assert.ok(busyMs <= 1.5 * quietMs + 200, `${busyMs} ms beside ${quietMs} ms`)
  })

  test('are done within steps that are told of', async () => {
    await using made = await instance()
    let steps = 0
    const session = await made.session((step) => {
      steps++
      return step()
    })
    await session.row(HEAVY)
    assert.ok(steps > 5, `${steps} steps`)
  })

  test('read long results in steps', async () => {
    await using made = await instance()
    let steps = 0
    const session = await made.session((step) => {
      steps++
      return step()
    })
    const rows = await session.rows('SELECT i AS n FROM range(10000) t(i) ORDER BY i DESC')
    assert.equal(rows.length, 10_000)
    assert.deepEqual([rows[0], rows[9_999]], [{ n: 9_999 }, { n: 0 }])
    assert.ok(steps > 10_000 / 256, `${steps} steps`)
  })

  test('an interrupted one fails, with its transaction, and the next one is done', async () => {
    await using made = await instance()
    const session = await made.session()
    await session.run('CREATE TABLE kept (n INTEGER)')
    const work = session.transaction(async () => {
      await session.run('INSERT INTO kept VALUES (1)')
      await session.row(HEAVY)
    })
    setTimeout(() => session.interrupt(), 1)
    await assert.rejects(work, InterruptedError)
    await assert.rejects(session.row('SELECT 1 AS n'), InterruptedError)
    session.resume()
    assert.deepEqual(await session.row('SELECT count(*) AS n FROM kept'), { n: 0 })
  })

  test('a bad one fails with the words of the database', async () => {
    await using made = await instance()
    const session = await made.session()
    await assert.rejects(session.row(`SELECT 'x'::INTEGER AS n`), /^Error: Conversion Error/)
  })
})

async function instance() {
  const duckdb = await DuckDBInstance.create(':memory:', { threads: '1' })
  const steps = threadSteps()
  let count = 0
  return {
    steps,
    session: async (
      during = (step: Step): boolean => step(),
      owner = `store ${count++}`,
    ): Promise<SqlSession> =>
      new SqlSession(await duckdb.connect(), (step) => steps.run(owner, () => during(step))),
    [Symbol.asyncDispose]: async () => duckdb.closeSync(),
  }
}
