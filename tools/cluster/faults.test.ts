import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { after, before, suite, test } from 'node:test'
import { BULK_LOAD_MIN_BYTES } from '@aisle/contract'
import { ClusterConnection } from '../../packages/cluster/src/opensearch/cluster-connection.ts'
import { ControlIndex } from '../../packages/cluster/src/opensearch/control-index.ts'
import { NEEDS_CLUSTER, until } from '@aisle/testing'
import { clusterChaosLines, runClusterChaos } from '../chaos/cluster.ts'
import { CommandLine } from '../lib/command-line.ts'
import { Cluster } from './cluster.ts'
import type { Release } from './distribution.ts'

const release = (process.env['AISLE_TEST_CLUSTER_RELEASE'] ?? '2.19') as Release
const MAIN = new URL('../../packages/cli/src/main.ts', import.meta.url).pathname
const WRITERS = 4
/** Rows of an import: enough for two kills in the middle. */
const IMPORTED = 8_000
const NO_FAULTS = {
  partitions: 0,
  restarts: 0,
  partitionRestarts: 0,
  frozenApiKills: 0,
  fullApiKills: 0,
}

// Three Java processes take a minute of processor time to start: one cluster for all tests.
suite('A cluster with faults', NEEDS_CLUSTER, () => {
  let cluster: Cluster
  before(async () => {
    cluster = await Cluster.start({ release, processes: 'each', heapMib: 512 })
  })
  after(() => cluster.stop())

  test('kill -9 of the node with the primary of control documents: acknowledged writes are kept, nothing conflicts with itself', async () => {
    const connection = new ClusterConnection({ urls: cluster.urls })
    const index = await ControlIndex.open(connection, 'control')
    await cluster.complete()

    const acknowledged: string[] = []
    const conflicts: string[] = []
    let failedCount = 0
    let isOver = false
    const write = async (writer: number): Promise<void> => {
      for (let i = 0; !isOver; i++) {
        const id = `${writer}-${i}`
        const put = { id, kind: 'thing', json: id }
        // Only a failed write may be stored without an acknowledgement.
        const [outcome] = await index.commit([{ put, expected: 'absent' }]).catch(() => ['failed'])
        if (outcome === 'failed') failedCount++
        else if (outcome === 'conflict') conflicts.push(id)
        else acknowledged.push(id)
      }
    }
    const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer))
    await until('some writes', () => acknowledged.length > 40)
    const primary = await nodeOfPrimary(cluster.urls[0]!, 'control')
    const process = cluster.processes[primary]!
    process.signal('SIGKILL')
    await until('the end of the node', () => process.ended)
    const before = acknowledged.length
    await until('writes without the node', () => acknowledged.length > before + 40, {
      timeoutMs: 90_000,
    })
    process.start()
    await cluster.complete()
    isOver = true
    await Promise.all(writers)

    assert.deepEqual(conflicts, [])
    const stored = new Set((await index.all('thing')).map(({ id }) => id))
    assert.deepEqual(
      acknowledged.filter((id) => !stored.has(id)),
      [],
    )
    assert.ok(stored.size <= acknowledged.length + failedCount)
    await connection.close()
  })

  test('aisle import --bulk goes on after it is killed, and after a node with its documents is', async () => {
    await cluster.complete()
    const line = await CommandLine.start({ AISLE_OPENSEARCH_URL: cluster.urls.join(',') })
    try {
      const made = await line.well('store', 'create', 'Shop', '--id', 'shop', '--json')
      line.environment['AISLE_WRITE_SECRET'] = made.json()['write_secret']
      const fields = [{ name: 'title', type: 'string', searchable: true }]
      await line.well('schema', 'set', line.file('schema.json', JSON.stringify({ fields })))
      await line.well('import', line.file('old.ndjson', '{"id":"old","title":"Old"}'))
      // Large enough for an index without copies.
      const padding = ' '.repeat(Math.ceil(BULK_LOAD_MIN_BYTES / IMPORTED))
      const rows = Array.from({ length: IMPORTED }, (_, i) => `{"id":"n${i}","title":"New ${i}"}`)
      const file = line.file('many.ndjson', rows.map((row) => `${row}${padding}\n`).join(''))
      const rowsDone = (): number => {
        const mark = `${file}.aisle-import`
        return existsSync(mark) ? (JSON.parse(readFileSync(mark, 'utf8')) as Mark).rows : 0
      }
      const start = (...words: string[]) => new Import(line, ['import', file, '--bulk', ...words])

      const first = start()
      await first.until('rows', () => rowsDone() > 0)
      first.kill()
      await first.ended
      const killedAt = rowsDone()
      assert.ok(killedAt < IMPORTED, 'killed too late')

      const second = start('--resume')
      await second.until('further rows', () => rowsDone() > killedAt)
      const node = cluster.processes[await nodeOfPrimary(cluster.urls[0]!, 'aisle-store-*')]!
      node.signal('SIGKILL')
      await until('the end of the node', () => node.ended)
      const afterKill = rowsDone()
      assert.ok(afterKill < IMPORTED, 'killed too late')
      node.start()
      await cluster.complete()
      // It has waited for the node, or says how to go on.
      if ((await second.ended) !== 0) await line.well('import', file, '--bulk', '--resume')
      const { documents } = (await line.well('store', 'get', 'shop', '--json')).json() as {
        documents: number
      }
      assert.equal(documents, IMPORTED)
      for (const row of [0, killedAt, afterKill, IMPORTED - 1]) {
        assert.match((await line.well('documents', 'get', `n${row}`)).out, /New/)
      }
    } finally {
      await line.stop()
    }
  })

  test('killed, frozen and full nodes lose no acknowledged write of API nodes', async () => {
    const seed = Math.floor(Math.random() * 2 ** 31)
    const faults = { ...NO_FAULTS, kills: 1, freezes: 1, apiKills: 1, fullDisks: 1 }
    const report = await runClusterChaos({ faults, seed, cluster })
    assert.deepEqual(report.problems, [], `seed ${seed}`)
    assert.equal(report.faults.size, 4)
    assert.match(clusterChaosLines(report).join('\n'), /1 kills: without a write/)
  })
})

interface Mark {
  readonly rows: number
}

/** A command that can be killed. */
class Import {
  readonly #child: ChildProcess
  /** With its exit code. */
  readonly ended: Promise<number | null>
  #said = ''

  constructor({ environment }: CommandLine, words: readonly string[]) {
    this.#child = spawn(process.execPath, [MAIN, ...words], {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    this.#child.stderr!.on('data', (text: Buffer) => (this.#said += text.toString()))
    this.ended = new Promise((resolve) => this.#child.once('exit', resolve))
  }

  async until(what: string, isTrue: () => boolean): Promise<void> {
    const how = { timeoutMs: 120_000, pauseMs: 5 }
    await until(() => `${what}; it said ${this.#said}`, isTrue, how)
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }
}

/** The node with the primary of an index. */
async function nodeOfPrimary(url: string, index: string): Promise<number> {
  const answer = await fetch(`${url}/_cat/shards/${index}?format=json`)
  const shards = (await answer.json()) as { prirep: string; node: string }[]
  return Number(shards.find(({ prirep }) => prirep === 'p')!.node.split('-')[1])
}
