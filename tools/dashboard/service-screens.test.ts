import { testScreens } from './screen-suite.ts'
import { screenTests as frame } from './screens/frame.ts'
import { screenTests as keys } from './screens/keys.ts'
import { screenTests as people } from './screens/people.ts'
import { screenTests as settings } from './screens/settings.ts'
import { screenTests as snapshots } from './screens/snapshots.ts'
import { screenTests as stores } from './screens/stores.ts'

testScreens('screens of the service', [
  ...frame,
  ...keys,
  ...people,
  ...settings,
  ...snapshots,
  ...stores,
])
