import { testScreens } from './screen-suite.ts'
import { screenTests as hostile } from './screens/hostile.ts'
import { screenTests as keyboard } from './screens/keyboard.ts'

testScreens('every screen', [...hostile, ...keyboard])
