import {
  ANSWER_WINDOW_MAX_MS,
  BODY_WINDOW_MAX_MS,
  BULK_WINDOW_MAX_MS,
  HEAD_MAX_MS,
  STREAM_MAX_MS,
  UNREAD_ANSWERS_MAX_BYTES,
  UNREAD_BODY_MAX_MS,
} from '@aisle/contract'

/** Limits for slow peers; tests use lower ones. */
export interface Patience {
  /** Of the head of a request. */
  readonly headMs: number
  /** Of a body. */
  readonly bodyMs: number
  /** Of a streamed bulk, whose sender may have to produce the lines first. */
  readonly bulkMs: number
  /** Of the unread body of a refused request. */
  readonly unreadMs: number
  /** Of a whole stream, however fast it is read. */
  readonly streamMs: number
  /** Of an answer. */
  readonly answerMs: number
  /** Bytes of all answers of a serving thread that wait for their readers. */
  readonly unreadAnswersBytes: number
}

export const PATIENCE: Patience = {
  headMs: HEAD_MAX_MS,
  bodyMs: BODY_WINDOW_MAX_MS,
  bulkMs: BULK_WINDOW_MAX_MS,
  unreadMs: UNREAD_BODY_MAX_MS,
  streamMs: STREAM_MAX_MS,
  answerMs: ANSWER_WINDOW_MAX_MS,
  unreadAnswersBytes: UNREAD_ANSWERS_MAX_BYTES,
}
