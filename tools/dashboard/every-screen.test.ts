import { testScreens } from './screen-suite.ts'
import { screenTests as hostile } from './screens/hostile.ts'
import { screenTests as keyboard } from './screens/keyboard.ts'
import { screenTests as lateAnswers } from './screens/late-answers.ts'

testScreens('every screen', [...hostile, ...keyboard, ...lateAnswers])
