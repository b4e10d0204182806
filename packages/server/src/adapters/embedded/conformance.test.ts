import { catalogConformance } from '../../ports/catalog.conformance.ts'
import { openEmbeddedCatalog } from './test/embedded-catalog.ts'

catalogConformance('embedded engine', () => openEmbeddedCatalog())
