import assert from 'node:assert/strict'
import { ClusterConnection } from '../../opensearch/cluster-connection.ts'
import { ControlIndex } from '../../opensearch/control-index.ts'
import { lendPrefix } from '../../opensearch/lent-prefix-for-test.ts'
import { TEST_CLUSTER } from '@aisle/testing'
import { ClusterSettings } from '../../control/cluster-settings.ts'
import {
  ADMIN_TOKEN,
  CHEAP_PASSWORDS,
  readConfig,
  readEntries,
  TestSuggestions,
  type TestBackend,
  type TestLogs,
} from '@aisle/server/test'
import type { Config } from '@aisle/server/test'
import type { Clock, Embedders } from '@aisle/server/ports'
import { digestOf } from '@aisle/server/domain'
import { ADMIN_DIGEST } from '@aisle/server/parts'
import { openApiNode } from '../api-node.ts'

/** An API node on the cluster of `npm run test:cluster`, with indices that go with it. */
export async function openClusterBackend(
  clock: Clock,
  embedders?: Embedders,
): Promise<TestBackend> {
  const config = readConfig(['--source-networks', '127.0.0.1'], {}) as Config
  const cluster = new ClusterConnection({ urls: TEST_CLUSTER })
  const { prefix, giveBack } = await lendPrefix(cluster)
  const address = {
    urls: TEST_CLUSTER,
    username: undefined,
    password: undefined,
    caCertificate: undefined,
    prefix,
  }
  await makeAdminToken(await ControlIndex.open(cluster, `${prefix}-control-v1`))
  const node = await openApiNode(config, address, {
    version: '0.0.0',
    log: (level, message, detail) => {
      if (level !== 'info') console.error(message, detail ?? '')
    },
    clock,
    onUnfit: (error) => assert.fail(error),
    passwordCost: CHEAP_PASSWORDS,
    embedders,
  })
  const { ports, access, directory, firstRunSecret } = node
  const { events } = node.clusterEvents
  const logs: TestLogs = { events, files: (log) => node.clusterEvents.files(log) }
  const suggestions = new TestSuggestions(ports, clock, logs)
  return {
    access,
    directory,
    firstRunSecret: firstRunSecret!,
    // Tests of these give their own.
    ports: {
      ...ports,
      suggestions: suggestions.source,
      pages: undefined,
      connections: undefined,
      rateLimiter: undefined,
      pageRateLimiter: undefined,
      answerMemory: undefined,
    },
    stored: (storeId) => readEntries(logs, ports.registry.find(storeId)!),
    follow: (hasWritten) => suggestions.follow(hasWritten),
    async close() {
      await node.close()
      await giveBack()
      await cluster.close()
    },
  }
}

/** As an earlier start would have: a token that was made can be replaced, a configured one not. */
async function makeAdminToken(index: ControlIndex): Promise<void> {
  const settings = await ClusterSettings.open(index, () => undefined)
  await settings.setFirst(ADMIN_DIGEST, digestOf(ADMIN_TOKEN))
  settings.close()
}
