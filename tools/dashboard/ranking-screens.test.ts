import { testScreens } from './screen-suite.ts'
import { screenTests as categories } from './screens/categories.ts'
import { screenTests as presets } from './screens/presets.ts'
import { screenTests as preview } from './screens/preview.ts'
import { screenTests as querySets } from './screens/query-sets.ts'
import { screenTests as relevance } from './screens/relevance.ts'
import { screenTests as rules } from './screens/rules.ts'
import { screenTests as suggestions } from './screens/suggestions.ts'
import { screenTests as twoEditors } from './screens/two-editors.ts'

testScreens('screens of the ranking', [
  ...categories,
  ...presets,
  ...preview,
  ...querySets,
  ...relevance,
  ...rules,
  ...suggestions,
  ...twoEditors,
])
