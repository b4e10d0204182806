import { parseArgs } from 'node:util'
import { Cluster } from './cluster/cluster.ts'
import { RELEASES } from './cluster/distribution.ts'
import type { Release } from './cluster/distribution.ts'
import { oneOf, positive } from './lib/option-values.ts'

const HELP = `Starts a real OpenSearch cluster on this machine, from Maven artifacts, until Ctrl-C.

  npm run cluster
  npm run cluster -- --release 3 --nodes 1
  npm run cluster -- --processes each

  --release R      ${Object.entries(RELEASES)
    .map(([release, { version, java }]) => `${release} (${version}, Java ${java} or newer)`)
    .join(', ')}; default 2.19
  --nodes N        number of nodes (3)
  --processes P    one Java process for all nodes, or each its own (one)
  --heap MIB       heap of each process, in MiB (1024)

It needs Java (AISLE_JAVA, JAVA_HOME or PATH) and, the first time, Maven. Data is temporary.
`

const { values } = parseArgs({
  options: {
    release: { type: 'string', default: '2.19' },
    nodes: { type: 'string', default: '3' },
    processes: { type: 'string', default: 'one' },
    heap: { type: 'string', default: '1024' },
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
  const cluster = await Cluster.start({
    release: oneOf('release', values.release, Object.keys(RELEASES) as Release[]),
    nodes: positive('nodes', values.nodes),
    processes: oneOf('processes', values.processes, ['one', 'each'] as const),
    heapMib: positive('heap', values.heap),
  })
  console.log(`OpenSearch ${RELEASES[values.release as Release].version} is ready:`)
  for (const url of cluster.urls) console.log(`  ${url}`)
  console.log(`Its log: ${cluster.logFile}`)
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => resolve())
  })
  await cluster.stop()
}
