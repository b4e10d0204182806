import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { ClusterConnection } from '../opensearch/cluster-connection.ts'
import type { SecretsKey } from '../opensearch/sealed-secrets.ts'
import { ControlIndex } from '../opensearch/control-index.ts'
import {
  HAS_VECTORS,
  memoryFolder,
  NEEDS_CLUSTER,
  TEST_CLUSTER,
  testIndexName,
  until,
} from '@aisle/testing'
import { SPACES_FORMAT } from '../control/cluster-format.ts'
import { ClusterSettings } from '../control/cluster-settings.ts'
import { readConfig } from '@aisle/server/test'
import type { Config } from '@aisle/server/test'
import { openApiNode } from './api-node.ts'
import type { ApiNode } from './api-node.ts'

suite('Older and newer API nodes of a cluster', NEEDS_CLUSTER, () => {
  test('work side by side in the older format; without the older ones the newer is in force', async () => {
    await using cluster = openCluster()
    const old = await cluster.start(1)
    const young = await cluster.start(2)
    const { storeId } = await young.ports.writer.createStore({ name: 'S', id: 's' })
    await until('the store on the older node', () => old.ports.registry.find(storeId))
    await old.ports.writer.renameStore(storeId, 'T')
    await until('the name', () => young.ports.registry.find(storeId)?.name === 'T')
    assert.equal(await cluster.format(), 1)
    // Another older one is there before the first one ends.
    const again = await cluster.start(1)
    await old.close()
    assert.equal(await cluster.format(), 1)
    await again.close()
    await until('the newer format', async () => (await cluster.format()) === 2)
    await assert.rejects(cluster.start(1), { message: /format 2, but this version reads .* to 1$/ })
    assert.equal(young.ports.registry.find(storeId)?.name, 'T')
    assert.deepEqual(cluster.unfit, [])
  })

  test('one that was away while the others went on to a newer format ends', async () => {
    await using cluster = openCluster()
    const old = await cluster.start(1)
    await cluster.raise(2)
    await until('the end', () => cluster.unfit.length > 0)
    assert.match(cluster.unfit[0]!.message, /format 2, but this version reads/)
    assert.equal(old.ports.health().ok, false)
  })
})

suite('Secrets of an installation on a cluster', NEEDS_CLUSTER, () => {
  const keys = [randomBytes(32), randomBytes(32)] as const

  test('are encrypted with the key of the nodes, rotated without a pause, and decrypted again', async () => {
    await using cluster = openCluster()
    let secret = ''
    const create = async (node: Pick<ApiNode, 'ports'>, id: string) => {
      const { readSecret } = await node.ports.writer.createStore({ name: id, id })
      secret = readSecret
    }
    const plain = await cluster.start(3)
    await create(plain, 'one')
    assert.ok((await cluster.stored()).some((json) => json.includes(secret)))
    // Every node learns the key before one of them uses it.
    const learned = await cluster.start(3, ['plain', keys[0]])
    await plain.close()
    const first = await cluster.start(3, [keys[0], 'plain'])
    await create(first, 'two')
    await until('the store of the newer node', () => learned.ports.registry.find('two'))
    await learned.close()
    const sealedBy = async () =>
      new Set(
        (await cluster.stored()).flatMap((json) => /aes-256-gcm:[0-9a-f]{16}/.exec(json) ?? []),
      )
    const byFirst = await sealedBy()
    assert.equal(byFirst.size, 1)
    assert.match([...byFirst][0]!, /^aes-256-gcm:[0-9a-f]{16}$/)
    assert.ok((await cluster.stored()).every((json) => !json.includes(secret)))

    const both = await cluster.start(3, [keys[0], keys[1]])
    await first.close()
    const second = await cluster.start(3, [keys[1], keys[0]])
    await until('what the newer node wrote', () => both.ports.registry.find('two'))
    await both.close()
    assert.deepEqual([...(await sealedBy()).intersection(byFirst)], [], 'all have the new key')
    assert.equal(second.ports.registry.find('two')?.readSecret, secret)
    await second.close()
    await assert.rejects(cluster.start(3, [keys[0]]), /no key in the file of --secrets-key-file/)
    await assert.rejects(cluster.start(3), /they are encrypted. Set --secrets-key-file/)
    const last = await cluster.start(3, ['plain', keys[1]])
    assert.ok((await cluster.stored()).some((json) => json.includes(secret)))
    await last.close()
    assert.ok((await cluster.start(3)).ports.registry.find('one'))
    assert.deepEqual(cluster.unfit, [])
  })

  test('are encrypted once every node can read them; then an older one says why it cannot', async () => {
    await using cluster = openCluster()
    const old = await cluster.start(2)
    const young = await cluster.start(3, [keys[0]])
    const { readSecret } = await young.ports.writer.createStore({ name: 'S', id: 's' })
    await until('the store on the older node', () => old.ports.registry.find('s'))
    assert.ok((await cluster.stored()).some((json) => json.includes(readSecret)))
    await old.close()
    await until('encryption', async () =>
      (await cluster.stored()).every((json) => json === '' || json.includes('aes-256-gcm:')),
    )
    // It reads the format of the settings in clear; `sealed-secrets.test.ts` looks at their text.
    await assert.rejects(cluster.start(2, [keys[0]]), {
      message:
        'Cannot use this cluster: its control documents have format 3, but this version reads formats up to 2',
    })
    assert.equal(young.ports.registry.find('s')?.readSecret, readSecret)
    assert.deepEqual(cluster.unfit, [])
  })

  test('a node that lacks the key of the others ends, rather than know less than they do', async () => {
    await using cluster = openCluster()
    await cluster.start(3)
    const other = await cluster.start(3, [keys[0]])
    await other.ports.writer.createStore({ name: 'S', id: 's' })
    await until('the end', () => cluster.unfit.length > 0)
    assert.match(cluster.unfit[0]!.message, /--secrets-key-file/)
  })
})

suite('Search by meaning on a cluster', NEEDS_CLUSTER, () => {
  test('is refused with the reason where nodes are old, or no scripts run', async () => {
    await using cluster = openCluster()
    const file = embeddersFile()
    const config = readConfig(['--embedders-file', file], {}) as Config
    const older = await cluster.start(SPACES_FORMAT - 1)
    const node = await cluster.start(SPACES_FORMAT, [], config)
    const { embedders } = node.ports
    assert.deepEqual(embedders.names(), [])
    assert.match(embedders.refusal!, HAS_VECTORS ? /older version/ : /Painless scripts/)
    await older.close()
    if (!HAS_VECTORS) return
    await until('the newer format', () => embedders.names().length > 0)
    assert.equal(embedders.refusal, undefined)
  })
})

function embeddersFile(): string {
  const folder = memoryFolder('aisle-node-embedders-')
  const path = join(folder, 'words.txt')
  writeFileSync(path, 'tent 8 7 6 0 0 0 0 1\n')
  const file = join(folder, 'embedders.json')
  const words = { kind: 'table', path, dimensions: 8 }
  writeFileSync(file, JSON.stringify({ embedders: { words } }))
  return file
}

/** Nodes over the same indices, which go with them. */
function openCluster() {
  const prefix = testIndexName()
  const address = {
    urls: TEST_CLUSTER,
    username: undefined,
    password: undefined,
    caCertificate: undefined,
    prefix,
  }
  const plain = readConfig([], {}) as Config
  const connection = new ClusterConnection(address)
  const unfit: Error[] = []
  const open = new Set<ApiNode>()
  const withSettings = async <T>(work: (settings: ClusterSettings) => T): Promise<Awaited<T>> => {
    const index = await ControlIndex.open(connection, `${prefix}-control-v1`)
    const settings = await ClusterSettings.open(index, (error) => assert.fail(String(error)))
    try {
      return await work(settings)
    } finally {
      settings.close()
    }
  }
  return {
    unfit,
    /** @param format the newest that the node knows */
    async start(format: number, secretsKeys: readonly SecretsKey[] = [], config: Config = plain) {
      const node = await openApiNode(
        config,
        { ...address, secretsKeys },
        {
          version: `${format}.0.0`,
          format,
          log: (level, message) => assert.notEqual(level, 'error', message),
          clock: { now: () => Date.now() },
          onUnfit: (error) => unfit.push(error),
        },
      )
      open.add(node)
      const close = (): Promise<void> => {
        open.delete(node)
        return node.close()
      }
      return { ...node, close }
    },
    /** The texts with secrets, as the cluster has them. */
    async stored(): Promise<string[]> {
      const { hits } = (await connection.request({
        method: 'POST',
        path: `/${prefix}-control-v1/_search`,
        body: { query: { terms: { kind: ['settings', 'store', 'user'] } }, size: 1_000 },
      })) as { hits: { hits: { _source: { json: string } }[] } }
      return hits.hits.map(({ _source }) => _source.json)
    },
    format: () => withSettings((settings) => settings.get('format')),
    raise: (format: number) =>
      withSettings((settings) => settings.setAll(new Map([['format', format]]))),
    async [Symbol.asyncDispose]() {
      for (const node of open) await node.close()
      await connection.request({ method: 'DELETE', path: `/${prefix}*` })
      await connection.close()
    },
  }
}
