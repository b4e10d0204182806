import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ClusterError } from '../opensearch/cluster-error.ts'
import type { ProductWrite } from '../opensearch/product-requests.ts'
import { until } from '@aisle/testing'
import { Fillings } from './fillings.ts'
import { DocumentWriter } from './document-writer.ts'
import type { WriteTools } from './write-round.ts'

/**
 * A cluster in memory that has every document, with a store whose shard is nowhere, and one whose
 * control documents cannot be read.
 */
function toolsWithout({
  shardOf,
  firstReads = 0,
  isLoading,
}: {
  shardOf?: string
  firstReads?: number
  isLoading?: true
}) {
  let awayScope = shardOf
  let reads = 0
  const attempts: string[] = []
  // As a node says that has no manager: its disks are not full.
  const type = 'cluster_block_exception'
  const away = new ClusterError('busy', 'no cluster manager', { status: 503, type })
  const stateOf = (scope: string) => ({
    content: { name: scope, life: scope },
    documents: {
      place: { scope, index: 'pool', routing: scope, slots: [], language: 'en', isLoading },
    },
    nextDocKey: 1,
  })
  const tools = {
    requests: {
      read: async (asked: readonly { readonly id: string }[]) =>
        asked.map(({ id }) => ({
          version: { seqNo: 1, primaryTerm: 1 },
          id,
          docKey: 1,
          operation: 'another',
          isGone: false,
        })),
      write: async (writes: readonly ProductWrite[]) =>
        writes.map(({ place, id }): ClusterError | 'done' => {
          attempts.push(id)
          return place.scope === awayScope ? away : 'done'
        }),
    },
    places: {
      read: async (storeIds: readonly string[]) => {
        if (++reads <= firstReads) throw away
        return new Map(storeIds.map((id) => [id, stateOf(id)]))
      },
      readContents: async (contents: readonly { readonly life: string }[]) =>
        new Map(contents.map(({ life }) => [life, stateOf(life)])),
    },
    docKeys: { take: async () => 2 },
    clock: { now: () => 0 },
    fillings: new Fillings(),
  }
  return { tools: tools as unknown as WriteTools, attempts, heal: () => (awayScope = undefined) }
}

test('writes into a shard that is away do not keep those of other stores waiting', async () => {
  const { tools, attempts, heal } = toolsWithout({ shardOf: 'lost' })
  const writer = new DocumentWriter(tools)
  const waiting: Promise<boolean>[] = []
  // Each is a separate group: more than may be in flight at once.
  for (const id of ['1', '2', '3', '4']) {
    waiting.push(writer.delete('lost', id))
    await until('an attempt', () => attempts.includes(id))
  }
  const tried = attempts.length
  assert.equal(await writer.delete('whole', '5'), true)
  assert.ok(attempts.length < tried + 20, 'the others have not given up before')
  heal()
  assert.deepEqual(await Promise.all(waiting), [true, true, true, true])
})

test('a write goes on when the control documents cannot be read for a moment', async () => {
  const { tools } = toolsWithout({ firstReads: 3 })
  assert.equal(await new DocumentWriter(tools).delete('store', '1'), true)
})

test('groups are smaller while they take long', async () => {
  const { tools } = toolsWithout({})
  let nowMs = 0
  let tookMs = 10_000
  const groups: number[] = []
  const { write } = tools.requests
  tools.requests.write = async (writes) => {
    groups.push(writes.length)
    nowMs += tookMs
    return write(writes)
  }
  const writer = new DocumentWriter(tools, () => nowMs)
  let next = 0
  const load = async (): Promise<number[]> => {
    groups.length = 0
    const ids = Array.from({ length: 2_000 }, () => `${next++}`)
    await Promise.all(ids.map((id) => writer.delete('store', id)))
    return [...groups]
  }
  assert.deepEqual(await load(), [2_000])
  // Two in flight at once, by one clock.
  tookMs = 2_000
  assert.deepEqual(await load(), [1_000, 1_000])
  tookMs = 10
  await load()
  assert.deepEqual(await load(), [2_000])
})

test('while a store is loaded, writes that wait together are two groups', async () => {
  const { tools } = toolsWithout({ isLoading: true })
  const groups: number[] = []
  const { write } = tools.requests
  tools.requests.write = async (writes) => {
    groups.push(writes.length)
    return write(writes)
  }
  const writer = new DocumentWriter(tools)
  const load = (count: number): Promise<unknown> =>
    Promise.all(Array.from({ length: count }, (_, id) => writer.delete('store', `${id}`)))
  await writer.delete('store', 'first')
  await load(2_000)
  await load(999)
  assert.deepEqual(groups, [1, 1_000, 1_000, 999])
})

/** One document, as the cluster has it. */
interface Copy {
  readonly seqNo: number
  readonly operation: string
  readonly scope: string
}

/**
 * A cluster of which the node that is asked first has lost the others without knowing it: it makes
 * the first write alone, never answers it, and is still read from afterwards.
 */
function toolsWithStalePrimary(before: Copy | undefined) {
  let truth = before
  let stale = before
  let isStale = true
  const made = (
    { expected, body }: ProductWrite,
    copy: Copy | undefined,
  ): Copy | 'conflict' | undefined => {
    const wanted = expected === 'absent' ? undefined : expected.seqNo
    if (wanted !== copy?.seqNo) return 'conflict'
    if (body === undefined) return undefined
    const { operation, scope } = JSON.parse(body) as Copy
    return { seqNo: (copy?.seqNo ?? 0) + 10, operation, scope }
  }
  const schema = {
    fields: [{ name: 'text', type: 'string', searchable: true, facet: false, sort: false }],
  }
  const place = {
    scope: '1a',
    index: 'pool',
    routing: 'shop',
    slots: [{ length: 0 }],
    language: 'en',
  }
  const content = { name: 'shop', life: '1' }
  const state = { content, documents: { place, schema }, nextDocKey: 1 }
  const tools = {
    requests: {
      read: async () => {
        const copy = isStale ? stale : truth
        if (copy === undefined) return [undefined]
        const version = { seqNo: copy.seqNo, primaryTerm: 1 }
        const { operation } = copy
        return [{ version, id: 'x', docKey: 1, operation, json: '{}', isGone: copy.scope !== '1a' }]
      },
      write: async ([write]: readonly ProductWrite[]) => {
        if (isStale && stale === before) {
          const copy = made(write!, stale)
          if (copy !== 'conflict') stale = copy
          throw new ClusterError('unreachable', 'no answer')
        }
        isStale = false
        const copy = made(write!, truth)
        if (copy === 'conflict') return ['conflict']
        truth = copy
        return ['done']
      },
    },
    places: {
      read: async () => new Map([['shop', state]]),
      readContents: async () => new Map([[content.life, state]]),
    },
    docKeys: { take: async () => 2 },
    clock: { now: () => 0 },
    fillings: new Fillings(),
  }
  return { tools: tools as unknown as WriteTools, truth: () => truth }
}

test('a write that a primary without the others has made alone is not acknowledged for that', async () => {
  const { tools, truth } = toolsWithStalePrimary(undefined)
  const write = { action: 'upsert', id: 'x', json: Buffer.from('{"text":"a word"}') } as const
  const [outcome] = await new DocumentWriter(tools).write('shop', [write])
  assert.notEqual(outcome?.status, 'failed')
  assert.equal(truth()?.scope, '1a', 'the others have it')
})

test('nor is a removal', async () => {
  const { tools, truth } = toolsWithStalePrimary({ seqNo: 5, operation: 'another', scope: '1a' })
  assert.equal(await new DocumentWriter(tools).delete('shop', 'x'), true)
  assert.equal(truth(), undefined, 'the others have removed it')
})
