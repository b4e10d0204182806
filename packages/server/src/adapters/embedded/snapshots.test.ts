import { filled } from '../../ports/catalog/catalog-fixture.ts'
import { snapshotKeeperConformance } from '../../ports/catalog/snapshot-keeper.conformance.ts'
import { openEmbeddedCatalog } from './test/embedded-catalog.ts'
import type { EmbeddedCatalog } from './test/embedded-catalog.ts'

snapshotKeeperConformance('The embedded adapter', async () => {
  const catalog = (await filled(openEmbeddedCatalog)) as EmbeddedCatalog
  const dispose = { [Symbol.asyncDispose]: () => catalog[Symbol.asyncDispose]() }
  return Object.assign(catalog.snapshots, dispose)
})
