import { testScreens } from './screen-suite.ts'
import { screenTests as collections } from './screens/collections.ts'
import { screenTests as documents } from './screens/documents.ts'
import { screenTests as explorer } from './screens/explorer.ts'
import { screenTests as facets } from './screens/facets.ts'
import { screenTests as imports } from './screens/import.ts'
import { screenTests as reference } from './screens/reference.ts'
import { screenTests as schema } from './screens/schema.ts'
import { screenTests as sources } from './screens/sources.ts'

testScreens('screens of the catalog', [
  ...collections,
  ...documents,
  ...explorer,
  ...facets,
  ...imports,
  ...reference,
  ...schema,
  ...sources,
])
