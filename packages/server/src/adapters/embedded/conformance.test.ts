import { keptInsertionConformance } from '../../ports/catalog/insertion.conformance.ts'
import { catalogConformance } from '../../ports/catalog/catalog.conformance.ts'
import { editJournalConformance } from '../../ports/catalog/edit-journal.conformance.ts'
import { languageConformance } from '../../ports/catalog/language.conformance.ts'
import { merchandisingConformance } from '../../ports/catalog/merchandising.conformance.ts'
import { redefinitionConformance } from '../../ports/catalog/redefinition.conformance.ts'
import { resourceConformance } from '../../ports/catalog/resources.conformance.ts'
import { embeddingConformance } from '../../ports/search/embedding.conformance.ts'
import { openEmbeddedCatalog } from './test/embedded-catalog.ts'

catalogConformance('embedded engine', () => openEmbeddedCatalog())
editJournalConformance('embedded engine', () => openEmbeddedCatalog())
resourceConformance('embedded engine', () => openEmbeddedCatalog())
merchandisingConformance('embedded engine', () => openEmbeddedCatalog())
embeddingConformance('embedded engine', (embedders) =>
  openEmbeddedCatalog(undefined, { embedders }),
)
languageConformance('embedded engine', () =>
  openEmbeddedCatalog(undefined, { reanalysisDocuments: 7 }),
)
keptInsertionConformance('embedded engine', () =>
  openEmbeddedCatalog(undefined, { reanalysisDocuments: 7 }),
)
redefinitionConformance('embedded engine', () =>
  openEmbeddedCatalog(undefined, { reanalysisDocuments: 7 }),
)
