import type { Static } from 'typebox'
import { Optional, Type } from './type.ts'
import { JOURNEY_EVENTS_DEFAULT, JOURNEY_EVENTS_MAX } from './limits.ts'
import { EraseVisitorParameters, ReportParameters } from './reports.ts'

/** The role of an event in reports (docs/analytics.md). */
export const JOURNEY_STEPS = [
  'search',
  'shown',
  'click',
  'filter',
  'cart',
  'suggestion',
  'add',
  'conversion',
  'purchase',
  'order',
  'identify',
  'other',
] as const
export type JourneyStepName = (typeof JOURNEY_STEPS)[number]

/** Identifies the visitor: at least one id is required. */
export const JourneyParameters = Type.Object({
  ...EraseVisitorParameters.properties,
  from: ReportParameters.properties.from,
  to: ReportParameters.properties.to,
  limit: Optional.Integer({
    minimum: 1,
    maximum: JOURNEY_EVENTS_MAX,
    default: JOURNEY_EVENTS_DEFAULT,
    description: 'Events per page; fewer when they are large.',
  }),
  after: Optional.String({
    maxLength: 40,
    description: '`next` of the previous page; absent for the first.',
  }),
})
export type JourneyParameters = Static<typeof JourneyParameters>

const optionalText = Optional.String()

export const JourneyEvent = Type.Object(
  {
    step: Type.Enum([...JOURNEY_STEPS]),
    name: Type.String(),
    source: Type.Enum(['simple', 'canonical', 'server']),
    timestamp: Type.String({ format: 'date-time', description: 'Corrected time.' }),
    received_at: Type.String({ format: 'date-time' }),
    message_id: Type.String(),
    user_id: optionalText,
    anonymous_id: optionalText,
    session_id: optionalText,
    query: Type.Union([Type.String(), Type.Null()], {
      description:
        'Query of the search it belongs to, as reports count it: in lower case, `*` for everything. `null` if it belongs to none.',
    }),
    counted: Type.Boolean({
      description:
        'Whether reports count it as a search: keystrokes of one search and repeated reports do not count.',
    }),
    properties: Optional.Object({}),
  },
  { $id: 'JourneyEvent' },
)
export type JourneyEvent = Static<typeof JourneyEvent>

export const VisitorJourney = Type.Object(
  {
    from: Type.String({ format: 'date-time' }),
    to: Type.String({ format: 'date-time', description: 'Exclusive.' }),
    events: Type.Array(JourneyEvent, { description: 'Newest first.' }),
    next: Optional.String({ description: 'Pass it as `after` to get the next page.' }),
    warnings: Optional.Array(Type.String()),
  },
  { $id: 'VisitorJourney' },
)
export type VisitorJourney = Static<typeof VisitorJourney>
