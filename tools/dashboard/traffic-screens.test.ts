import { testScreens } from './screen-suite.ts'
import { screenTests as analytics } from './screens/analytics.ts'
import { screenTests as events } from './screens/events.ts'
import { screenTests as experiments } from './screens/experiments.ts'
import { screenTests as health } from './screens/health.ts'
import { screenTests as missed } from './screens/missed.ts'
import { screenTests as overview } from './screens/overview.ts'

testScreens('screens of the traffic', [
  ...analytics,
  ...events,
  ...experiments,
  ...health,
  ...missed,
  ...overview,
])
