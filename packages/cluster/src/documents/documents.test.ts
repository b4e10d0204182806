import { test } from 'node:test'
import { NEEDS_CLUSTER, TEST_CLUSTER } from '@aisle/testing'
import { catalogConformance, editJournalConformance, resourceConformance } from '@aisle/server/test'
import { openNodes, type ClusterNode } from './test/cluster-nodes.ts'

const NAME = 'Documents on OpenSearch'

if (TEST_CLUSTER.length === 0) test(`${NAME}, conform`, NEEDS_CLUSTER)
else {
  catalogConformance(NAME, openCatalog)
  resourceConformance(NAME, openCatalog)
  editJournalConformance(NAME, openCatalog)
}

async function openCatalog(): Promise<ClusterNode & AsyncDisposable> {
  const all = await openNodes(1)
  return { ...all.nodes[0]!, [Symbol.asyncDispose]: () => all[Symbol.asyncDispose]() }
}
