import { parseArgs } from 'node:util'
import { ServerProcess } from '@aisle/testing'
import { Cluster } from './cluster/cluster.ts'
import { loadDemoShop } from './cluster/demo-shop.ts'
import { FrontProxy } from './cluster/front-proxy.ts'
import { RELEASES, type Release } from './cluster/distribution.ts'
import { oneOf, positive, wholeNumber } from './lib/option-values.ts'

/** Repository of snapshots, on the disk of the cluster. */
const REPOSITORY = 'snapshots'

const HELP = `Starts a real OpenSearch cluster on this machine, from Maven artifacts, two API nodes on it with the demo shop,
and a proxy in front of them, until Ctrl-C.

  npm run cluster
  npm run cluster -- --release 3 --nodes 1
  npm run cluster -- --processes each

  --release R      ${Object.entries(RELEASES)
    .map(([release, { version, java }]) => `${release} (${version}, Java ${java} or newer)`)
    .join(', ')}; default 2.19
  --nodes N        number of nodes (3)
  --processes P    one Java process for all nodes, or one each (one)
  --heap MIB       heap of each process, in MiB (1024)
  --api-nodes N    number of API nodes (2); 0 = only OpenSearch
  --port N         port of the proxy; 0 = a free one (0)

It requires Java (AISLE_JAVA, JAVA_HOME or PATH) and, the first time, Maven. Data is temporary.
`

const { values } = parseArgs({
  options: {
    release: { type: 'string', default: '2.19' },
    nodes: { type: 'string', default: '3' },
    processes: { type: 'string', default: 'one' },
    heap: { type: 'string', default: '1024' },
    'api-nodes': { type: 'string', default: '2' },
    port: { type: 'string', default: '0' },
    help: { type: 'boolean', default: false },
  },
})

try {
  if (values.help) console.log(HELP)
  else await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

async function main(): Promise<void> {
  const apiNodes = wholeNumber('api-nodes', values['api-nodes'])
  const port = wholeNumber('port', values.port)
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => resolve())
  })
  await using cluster = await Cluster.start({
    release: oneOf('release', values.release, Object.keys(RELEASES) as Release[]),
    nodes: positive('nodes', values.nodes),
    processes: oneOf('processes', values.processes, ['one', 'each'] as const),
    heapMib: positive('heap', values.heap),
  })
  console.log(`OpenSearch ${RELEASES[values.release as Release].version} is ready:`)
  for (const url of cluster.urls) console.log(`  ${url}`)
  console.log(`Its log: ${cluster.logFile}`)
  if (apiNodes === 0) return await stopped
  await cluster.registerSnapshots(REPOSITORY)
  const nodes: ServerProcess[] = []
  try {
    for (let at = 0; at < apiNodes; at++) nodes.push(await startNode(cluster))
    const urls = nodes.map(({ url }) => url)
    await using proxy = await FrontProxy.start(urls, port)
    const { adminToken } = nodes[0]!
    const { readSecret, writeSecret } = await loadDemoShop(proxy.url, adminToken)
    console.log(`API nodes: ${urls.join(', ')}`)
    console.log(`Proxy and dashboard: ${proxy.url}`)
    console.log(`Admin token: ${adminToken}`)
    console.log(`Store demo: read secret ${readSecret}, write secret ${writeSecret}`)
    await stopped
  } finally {
    for (const node of nodes) await node.stop()
  }
}

function startNode({ urls }: Cluster): Promise<ServerProcess> {
  const environment = {
    AISLE_OPENSEARCH_URL: urls.join(','),
    AISLE_OPENSEARCH_SNAPSHOTS: REPOSITORY,
    AISLE_TRUST_PROXY: '127.0.0.1',
  }
  return ServerProcess.start({ environment })
}
