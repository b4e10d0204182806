import {
  ANSWER_WINDOW_MAX_MS,
  BODY_WINDOW_MAX_MS,
  BULK_WINDOW_MAX_MS,
  HEAD_MAX_MS,
  STREAM_MAX_MS,
  UNREAD_BODY_MAX_MS,
} from '@aisle/contract'

/** How long peers may take; tests have less of it. */
export interface Patience {
  /** Of the head of a request. */
  readonly headMs: number
  /** Of a body. */
  readonly bodyMs: number
  /** Of a bulk that is streamed, whose lines may have to be made first. */
  readonly bulkMs: number
  /** Of a body that nobody reads, as its request is refused. */
  readonly unreadMs: number
  /** Of a stream as a whole, however quickly it is read. */
  readonly streamMs: number
  /** Of an answer. */
  readonly answerMs: number
}

export const PATIENCE: Patience = {
  headMs: HEAD_MAX_MS,
  bodyMs: BODY_WINDOW_MAX_MS,
  bulkMs: BULK_WINDOW_MAX_MS,
  unreadMs: UNREAD_BODY_MAX_MS,
  streamMs: STREAM_MAX_MS,
  answerMs: ANSWER_WINDOW_MAX_MS,
}
