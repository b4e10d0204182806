import assert from 'node:assert/strict'
import { ClusterConnection } from '../../opensearch/cluster-connection.ts'
import { lendPrefix } from '../../opensearch/lent-prefix-for-test.ts'
import { TEST_CLUSTER } from '@aisle/testing'
import { mainLogger } from '@aisle/server/parts'
import { readConfig } from '@aisle/server/test'
import type { Config } from '@aisle/server/test'
import { ClusterService } from '../cluster-service.ts'

export const ADMIN = 'a-token-for-the-nodes-of-the-tests-long-enough'
export const logger = await mainLogger({ logLevel: 'silent', logFormat: 'json' })
export const onUnfit = (error: Error): void => assert.fail(error)

/** The address of a cluster that is none, and needs no password. */
export const NOBODY = {
  username: undefined,
  password: undefined,
  caCertificate: undefined,
  prefix: 'none',
}
export const asAdmin = { authorization: `Bearer ${ADMIN}` }

/** A request with JSON, and its answer. */
export async function json(
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body?: object,
): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> {
  const answer = await fetch(url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

/** Nodes over the same indices, which go with them. */
export async function startNodes(count: number, ...flags: string[]) {
  const config = readConfig(['--port', '0', '--admin-token', ADMIN, ...flags], {}) as Config
  const cluster = new ClusterConnection({ urls: TEST_CLUSTER })
  const { prefix, giveBack } = await lendPrefix(cluster)
  const startOne = () => {
    const address = { ...NOBODY, urls: TEST_CLUSTER, prefix }
    return ClusterService.start(config, address, { version: '1.0.0', logger, onUnfit })
  }
  const services: ClusterService[] = []
  for (let at = 0; at < count; at++) services.push(await startOne())
  const control = `/${prefix}-control-v1`
  return {
    urls: services.map(({ port }) => `http://127.0.0.1:${port}`),
    startOne,
    /** As a cluster does beyond its last watermark; `null` takes it away. */
    block: (isFull: true | null) =>
      cluster.request({
        method: 'PUT',
        path: `${control}/_settings`,
        body: { 'index.blocks.read_only_allow_delete': isFull },
      }),
    writeSettings: (values: object) =>
      cluster.request({
        method: 'PUT',
        path: `${control}/_doc/settings:installation?refresh=true`,
        body: { kind: 'settings', json: JSON.stringify(values), operation: 'test' },
      }),
    async [Symbol.asyncDispose]() {
      for (const service of services) await service.stop()
      await giveBack()
      await cluster.close()
    },
  }
}
