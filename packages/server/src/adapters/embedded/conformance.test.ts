import { catalogConformance } from '../../ports/catalog.conformance.ts'
import { languageConformance } from '../../ports/language.conformance.ts'
import { merchandisingConformance } from '../../ports/merchandising.conformance.ts'
import { resourceConformance } from '../../ports/resources.conformance.ts'
import { openEmbeddedCatalog } from './test/embedded-catalog.ts'

catalogConformance('embedded engine', () => openEmbeddedCatalog())
resourceConformance('embedded engine', () => openEmbeddedCatalog())
merchandisingConformance('embedded engine', () => openEmbeddedCatalog())
languageConformance('embedded engine', () =>
  openEmbeddedCatalog(undefined, { reanalysisDocuments: 7 }),
)
