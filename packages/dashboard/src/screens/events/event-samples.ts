/** Events of each form, of this moment, to begin a check with. */
export const EVENT_SAMPLES = [
  {
    id: 'simple',
    label: 'Simple event',
    make: () => ({
      event_type: 'click',
      data: { query: 'tent', document_id: 'product-1', position: 1, search_id: 'of-the-search' },
    }),
  },
  {
    id: 'simple-batch',
    label: 'Batch of simple events',
    make: (time: string) => ({
      events: [
        { event_type: 'search', data: { query: 'tent', total_results: 12 }, timestamp: time },
        {
          event_type: 'conversion',
          data: { order_id: 'order-1', revenue: 20, currency: 'EUR' },
          timestamp: time,
        },
      ],
    }),
  },
  {
    id: 'track',
    label: 'Segment: track',
    make: (time: string) => ({
      type: 'track',
      event: 'Object Clicked',
      messageId: 'message-1',
      anonymousId: 'visitor-1',
      timestamp: time,
      properties: { search_id: 'of-the-search', object_id: 'product-1', position: 1 },
    }),
  },
  {
    id: 'batch',
    label: 'Segment: batch of track, page and identify',
    make: (time: string) => ({
      sentAt: time,
      batch: [
        {
          type: 'track',
          event: 'Search Submitted',
          messageId: 'message-1',
          anonymousId: 'visitor-1',
          timestamp: time,
          properties: { query: 'tent', num_found: 12 },
        },
        { type: 'page', messageId: 'message-2', anonymousId: 'visitor-1', timestamp: time },
        {
          type: 'identify',
          messageId: 'message-3',
          anonymousId: 'visitor-1',
          userId: 'customer-17',
          timestamp: time,
        },
      ],
    }),
  },
] as const

/** @param nowMs milliseconds since 1970 */
export function sampleText(id: (typeof EVENT_SAMPLES)[number]['id'], nowMs: number): string {
  const sample = EVENT_SAMPLES.find((one) => one.id === id) ?? EVENT_SAMPLES[0]
  return JSON.stringify(sample.make(new Date(nowMs).toISOString()), null, 2)
}
