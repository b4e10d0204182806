import { CAMP_FAMILIES } from './families-camp.ts'
import { HOME_FAMILIES } from './families-home.ts'
import { KITCHEN_FAMILIES } from './families-kitchen.ts'
import { WEAR_FAMILIES } from './families-wear.ts'
import type { Family } from './family.ts'

/** Everything that the demo shop sells. */
export const FAMILIES: readonly Family[] = [
  ...CAMP_FAMILIES,
  ...WEAR_FAMILIES,
  ...KITCHEN_FAMILIES,
  ...HOME_FAMILIES,
]
