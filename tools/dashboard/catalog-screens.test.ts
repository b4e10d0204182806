import { testScreens } from './screen-suite.ts'
import { screenTests as documents } from './screens/documents.ts'
import { screenTests as explorer } from './screens/explorer.ts'
import { screenTests as imports } from './screens/import.ts'
import { screenTests as reference } from './screens/reference.ts'
import { screenTests as schema } from './screens/schema.ts'

testScreens('screens of the catalog', [
  ...documents,
  ...explorer,
  ...imports,
  ...reference,
  ...schema,
])
