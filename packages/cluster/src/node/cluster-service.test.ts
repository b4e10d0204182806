import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { NEEDS_CLUSTER, stays, until } from '@aisle/testing'
import { readConfig } from '@aisle/server/test'
import type { Config } from '@aisle/server/test'
import { ClusterService } from './cluster-service.ts'
import { asAdmin, json, logger, NOBODY, onUnfit, startNodes } from './test/started-nodes.ts'

suite('An API node of a cluster', NEEDS_CLUSTER, () => {
  test('a store that is made on one node takes documents on the other one', async () => {
    await using nodes = await startNodes(2)
    const [here, there] = nodes.urls as [string, string]
    const created = await json(`${here}/api/v1/admin/stores`, 'POST', asAdmin, {
      name: 'S',
      id: 's',
    })
    assert.equal(created.status, 201)
    const { write_secret: secret, read_secret: readSecret } = created.body
    const asWriter = { 'x-storeid': 's', 'x-store-write-secret': String(secret) }
    const asReader = { 'x-storeid': 's', 'x-storesecret': String(readSecret) }
    const fields = [{ name: 'title', type: 'string', searchable: true }]
    await until('the store', async () => {
      const { status } = await json(`${there}/api/v1/stores/s/schema`, 'POST', asWriter, { fields })
      return status === 200
    })
    const document = { id: '1', data: { title: 'Red tent' } }
    await until('the schema', async () => {
      const path = `${here}/api/v1/stores/s/documents`
      return (await json(path, 'POST', asWriter, document)).status < 300
    })
    const read = await json(`${there}/api/v1/stores/s/documents/1`, 'GET', asReader)
    assert.deepEqual(read.body, document, 'what is answered is there on every node')
    const bad = { id: '2', data: { title: 5 } }
    const refused = await json(`${there}/api/v1/stores/s/documents`, 'POST', asWriter, bad)
    assert.deepEqual([refused.status, refused.body['code']], [400, 'invalid_type'])
    const list = await json(`${there}/api/v1/admin/stores`, 'GET', asAdmin)
    assert.equal((list.body as { stores: { documents: number }[] }).stores[0]!.documents, 1)
  })

  test('events of one node are in the reports of the other one, once, and can be erased', async () => {
    await using nodes = await startNodes(2)
    const [here, there] = nodes.urls as [string, string]
    const created = await json(`${here}/api/v1/admin/stores`, 'POST', asAdmin, {
      name: 'S',
      id: 's',
    })
    const { write_secret: secret, read_secret: readSecret } = created.body
    const asWriter = { 'x-storeid': 's', 'x-store-write-secret': String(secret) }
    const asVisitor = { 'x-storeid': 's', 'x-storesecret': String(readSecret), 'x-user-id': 'ada' }
    const click = (message_id: string) => ({
      event_type: 'click',
      message_id,
      data: { query: 'tent', document_id: '1', position: 1 },
    })
    const send = (url: string, id: string) =>
      until('an accepted event', async () => {
        const { status } = await json(`${url}/analytics/event`, 'POST', asVisitor, click(id))
        return status === 200
      })
    const analytics = (url: string, path: string, method = 'GET') =>
      until('an answer', async () => {
        const found = await json(`${url}/api/v1/stores/s/analytics/${path}`, method, asWriter)
        return found.status === 200 ? found.body : undefined
      })
    const clicks = async (url: string) =>
      ((await analytics(url, 'overview'))['totals'] as { clicks: number }).clicks
    for (const url of [here, there]) {
      await send(url, 'the same')
      await send(url, url)
    }
    // What was answered by any node is in every report from then on.
    assert.deepEqual([await clicks(here), await clicks(there)], [3, 3])
    const erased = await analytics(here, 'visitors?user_id=ada', 'DELETE')
    assert.equal(erased['events_erased'], 3)
    assert.equal(await clicks(here), 0)
    await until('the other node', async () => (await clicks(there)) === 0)
  })

  test('a full disk of the cluster is 507, and writes go on when there is room again', async () => {
    await using nodes = await startNodes(1)
    const [url] = nodes.urls as [string]
    const created = await json(`${url}/api/v1/admin/stores`, 'POST', asAdmin, {
      name: 'S',
      id: 's',
    })
    assert.equal(created.status, 201)
    const rename = () => json(`${url}/api/v1/admin/stores/s`, 'PATCH', asAdmin, { name: 'T' })
    await nodes.block(true)
    const refused = await rename()
    assert.deepEqual([refused.status, refused.body['code']], [507, 'disk_reserve'])
    // A node that has been killed comes back meanwhile, and both serve.
    const again = await nodes.startOne()
    const here = `http://127.0.0.1:${again.port}`
    try {
      const read = await json(`${here}/api/v1/admin/stores/s`, 'GET', asAdmin)
      assert.equal(read.status, 200)
      // Longer than the beats of a node may be missed.
      await stays(5_000, async () => {
        for (const one of [url, here]) assert.equal((await fetch(`${one}/health`)).status, 200)
      })
    } finally {
      await again.stop()
    }
    await nodes.block(null)
    assert.equal((await rename()).status, 200)
  })

  test('what cannot be used is refused with one line', async () => {
    const config = readConfig([], {}) as Config
    const refusal = (urls: readonly string[]) =>
      ClusterService.start(config, { ...NOBODY, urls }, { version: '1.0.0', logger, onUnfit })
    await assert.rejects(refusal(['http://127.0.0.1:1']), {
      message: /^Cannot reach the cluster at http:\/\/127\.0\.0\.1:1: .*ECONNREFUSED/,
    })
  })

  test('a cluster that has a newer format is left alone', async () => {
    await using nodes = await startNodes(1)
    await nodes.writeSettings({ format: 99 })
    await assert.rejects(nodes.startOne(), { message: /format 99, but this version reads/ })
  })
})
