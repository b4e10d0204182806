import type { Static } from 'typebox'
import { Optional, Type } from './type.ts'
import {
  EVENT_ID_MAX_CHARS,
  EVENT_NAME_MAX_CHARS,
  EVENTS_PER_BATCH_MAX,
  EVENT_TAIL_LISTENERS_MAX,
} from './limits.ts'

/** Types of the simple form. */
export const SIMPLE_EVENT_TYPES = ['search', 'click', 'conversion', 'custom'] as const
export type SimpleEventType = (typeof SIMPLE_EVENT_TYPES)[number]

/** The 18 names of the canonical form; events with other names are accepted and ignored. */
export const CANONICAL_EVENTS = [
  'Search Submitted',
  'Search Refined',
  'Search Empty',
  'Search Impression',
  'Filter Viewed',
  'Filter Converted',
  'Facet Applied',
  'Object Viewed',
  'Object Clicked',
  'Object Clicked Outside Search',
  'Object Converted',
  'Object Converted Outside Search',
  'Product Added',
  'Product List Viewed',
  'Order Completed',
  'Suggestion Impression',
  'Suggestion Clicked',
  'Cart Viewed',
] as const
export type CanonicalEventName = (typeof CANONICAL_EVENTS)[number]

/** The outcome of an event; reports count events by it. */
export const EVENT_VERDICTS = ['accepted', 'dropped_unknown', 'invalid', 'duplicate'] as const
export type EventVerdict = (typeof EVENT_VERDICTS)[number]

const id = (description: string) =>
  Optional.String({ minLength: 1, maxLength: EVENT_ID_MAX_CHARS, description })

export const SimpleEvent = Type.Object(
  {
    event_type: Type.Enum([...SIMPLE_EVENT_TYPES]),
    data: Type.Object(
      {},
      {
        description:
          'search: `query`, total_results, page, filters_applied. click: `query`, `document_id`, position. conversion: `document_id` or `order_id`, query, revenue, currency. custom: `name`, document_id, query, metadata. Each may have search_id and analytics_tags.',
      },
    ),
    timestamp: Optional.String({
      format: 'date-time',
      description: 'ISO 8601; the time of receipt when omitted.',
    }),
    message_id: id('Unique per event: duplicates are not counted.'),
  },
  { $id: 'SimpleEvent' },
)

export const EventAccepted = Type.Object(
  { status: Type.Literal('accepted'), event_id: Type.String() },
  { $id: 'EventAccepted' },
)

export const EventBatchRequest = Type.Object(
  { events: Type.Array(SimpleEvent, { maxItems: EVENTS_PER_BATCH_MAX }) },
  { $id: 'EventBatchRequest' },
)

export const EventBatchAccepted = Type.Object(
  {
    status: Type.Literal('accepted'),
    accepted: Type.Integer(),
    rejected: Type.Integer(),
    errors: Optional.Array(
      Type.Object({ index: Type.Integer(), errors: Type.Array(Type.String()) }),
      {
        description: 'Why events were rejected, by their index in the batch.',
      },
    ),
  },
  { $id: 'EventBatchAccepted' },
)

export const EventValidation = Type.Object(
  {
    valid: Type.Boolean(),
    errors: Optional.Array(Type.String()),
    warnings: Type.Array(Type.String()),
  },
  { $id: 'EventValidation' },
)

/** An event of the canonical form, for the documentation only; `@aisle/event-log` validates. */
export const CanonicalEvent = Type.Object(
  {
    type: Type.String({ description: '`track`; other types are accepted but not stored.' }),
    event: Type.String({
      maxLength: EVENT_NAME_MAX_CHARS,
      description: `One of: ${CANONICAL_EVENTS.join(', ')}. Unknown names are accepted and ignored.`,
    }),
    anonymousId: id('Stable per browser; `userId` is accepted instead.'),
    userId: id('Present when the visitor is logged in.'),
    messageId: Type.String({
      minLength: 1,
      maxLength: EVENT_ID_MAX_CHARS,
      description: 'Unique per event: duplicates are not counted.',
    }),
    timestamp: Type.String({
      format: 'date-time',
      description: '`originalTimestamp` is accepted instead.',
    }),
    properties: Type.Object({}),
    writeKey: Optional.String({ description: 'The same as in the envelope.' }),
  },
  { $id: 'CanonicalEvent' },
)

export const IngestRequest = Type.Object(
  {
    writeKey: Optional.String({
      description:
        'Otherwise read from the first event, the user name of Basic authentication, or `?writeKey`.',
    }),
    batch: Type.Array(CanonicalEvent, { minItems: 1 }),
    sentAt: Type.String({ format: 'date-time', description: 'Client time of sending.' }),
  },
  { $id: 'IngestRequest' },
)

export const IngestResponse = Type.Object(
  {
    ok: Type.Boolean({ description: 'Whether all events are valid.' }),
    okEvents: Type.Integer(),
    receivedEvents: Type.Integer(),
  },
  { $id: 'IngestResponse' },
)

/** Errors of `/v1/b` have only a text, as event clients expect. */
export const IngestError = Type.Object({ error: Type.String() }, { $id: 'IngestError' })

export const WriteKeyResponse = Type.Object({ writeKey: Type.String() }, { $id: 'WriteKey' })

/** An event in the live tail. */
export const TailedEvent = Type.Object(
  {
    verdict: Type.Enum([...EVENT_VERDICTS]),
    name: Type.String(),
    source: Type.Enum(['simple', 'canonical', 'server']),
    received_at: Type.String({ format: 'date-time' }),
    reasons: Optional.Array(Type.String({ description: 'Why it was not accepted.' })),
    warnings: Optional.Array(
      Type.String({ description: 'What it lacks for reports, although it was accepted.' }),
    ),
    message_id: Optional.String(),
    timestamp: Optional.String({ format: 'date-time', description: 'Corrected time.' }),
    user_id: Optional.String(),
    anonymous_id: Optional.String(),
    session_id: Optional.String(),
    properties: Optional.Object({}),
  },
  {
    $id: 'TailedEvent',
    description: `At most ${EVENT_TAIL_LISTENERS_MAX} listeners per serving thread.`,
  },
)

const {
  verdict,
  reasons: _,
  warnings: __,
  name,
  source,
  received_at,
  ...ofEvent
} = TailedEvent.properties

/** The result of a dry run of one event. */
export const CheckedEvent = Type.Object(
  {
    verdict,
    name,
    reasons: Type.Array(Type.String(), { description: 'Why it would not be stored.' }),
    warnings: Type.Array(Type.String()),
    event: Optional.Object(
      {
        name,
        source,
        received_at,
        ...ofEvent,
        timestamp: Type.String({ format: 'date-time', description: 'Corrected time.' }),
        message_id: Type.String(),
      },
      { description: 'The event as it would be stored; absent if it would not be.' },
    ),
  },
  { $id: 'CheckedEvent' },
)
export type CheckedEvent = Static<typeof CheckedEvent>

export const EventCheck = Type.Object(
  {
    form: Type.Enum(['simple', 'canonical']),
    route: Type.String({ description: 'The route for this form, such as `/v1/b`.' }),
    error: Optional.String({ description: 'Why the whole request would be refused.' }),
    warnings: Type.Array(Type.String({ description: 'Warnings about the whole request.' })),
    events: Type.Array(CheckedEvent, { description: 'In request order.' }),
  },
  { $id: 'EventCheck' },
)
export type EventCheck = Static<typeof EventCheck>

export type EventAccepted = Static<typeof EventAccepted>
export type EventBatchAccepted = Static<typeof EventBatchAccepted>
export type EventValidation = Static<typeof EventValidation>
export type IngestResponse = Static<typeof IngestResponse>
export type TailedEvent = Static<typeof TailedEvent>
